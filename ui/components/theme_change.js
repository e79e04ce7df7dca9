// Sees that the colours of the page have become others, by the system or by Streamlit's menu.

const BRIEF_MS = 1;

export default function ({ parentElement, setTriggerValue }) {
  const colour = document.createElement("i");
  colour.style.background = "var(--st-background-color)";
  colour.style.transition = `background-color ${BRIEF_MS}ms`;
  colour.addEventListener("transitionrun", () => setTriggerValue("changed", Date.now()));
  parentElement.replaceChildren(colour);
  return () => colour.remove();
}
