"""English words on a screen that is meant to be in another language."""

import re
from collections.abc import Iterable
from typing import Any

from playwright.sync_api import Locator, Page, Response

# Everything on a part of the page that a person reads or hears, where there is any: what stands
# there, and names, titles and placeholders. Pictures of letters and what is hidden are left out.
READ = """root => {
  const said = [];
  const seen = (element) => element.checkVisibility({ visibilityProperty: true });
  const walk = (node) => {
    if (node.nodeType === Node.TEXT_NODE) {
      if (node.data.trim() && seen(node.parentElement)) said.push(node.data.trim());
      return;
    }
    if (!(node instanceof Element) || node.matches("style, script, svg, [data-testid=stIconMaterial]")) return;
    if (!seen(node)) return;
    for (const name of ["aria-label", "title", "placeholder", "alt", "aria-valuetext", "data-write"]) {
      if (node.getAttribute(name)) said.push(node.getAttribute(name));
    }
    for (const child of [...(node.shadowRoot?.childNodes ?? []), ...node.childNodes]) walk(child);
  };
  walk(root);
  return said;
}"""  # noqa: E501
# Words that no German sentence has and nearly every English one.
ENGLISH = re.compile(
    r"\b(the|of|and|is|are|not|to|this|that|you|your|with|it|what|which|who|does|no|yes|or|for|by"
    r"|answer|answers|frame|frames|next|open|write|none|optional|skip|back|close)\b",
    re.IGNORECASE,
)
# What people are told to type as it stands.
TYPED = re.compile(r"'(not sure|none)'")
# What Streamlit says by itself.
STREAMLITS = frozenset({"Skip to main content", "Link to heading"})


def left_in_english(part: Locator, data: Iterable[str]) -> list[str]:
    """Return what is read on a part of the page and is English, but for data."""
    known = sorted({text for text in data if text}, key=len, reverse=True)
    lines: list[str] = []
    for said in set(part.evaluate(READ)):
        rest = TYPED.sub("", said)
        for text in known:
            rest = rest.replace(text, "")
        within = any(said in text for text in known)  # a piece of what an author has written
        if said not in STREAMLITS and not within and ENGLISH.search(rest):
            lines.append(said)
    return lines


class Data:
    """The texts of questions, videos and people that a page was sent, which are in no language."""

    def __init__(self, page: Page):
        self._texts = set[str]()
        self._responses: list[Response] = []
        page.on("response", lambda response: self._responses.append(response))

    @property
    def texts(self) -> set[str]:
        """All that has come until now."""
        while self._responses:
            response = self._responses.pop()
            if "/desk/tasks/" in response.url and response.ok:
                self._keep(response.json())
        return self._texts

    def _keep(self, reply: dict[str, Any]) -> None:
        self._texts.add(reply.get("task", {}).get("name", ""))
        for item in reply.get("items", [reply] if "stage" in reply else []):
            self._item(item)

    def _item(self, item: dict[str, Any]) -> None:
        values = item["values"]
        self._texts |= {item["label"], *_titles(item["stage"])}
        for name in ("question", "description", "name", "text"):
            self._texts.add(str(values.get(name) or ""))
        self._texts |= {str(entry["label"]) for entry in values.get("objects", [])}
        answer = values.get("answer", {})
        options = values.get("options", [])
        if isinstance(options, str):  # those of a question, in a row
            self._texts.add(options)
            options = []
        for option in [*options, *answer.get("options", [])]:
            self._texts |= {option["text"], option.get("description") or ""}
        self._texts |= {answer.get("reply", ""), *re.findall("von (.+)", answer.get("by", ""))}
        # Within our own sentences: „swing“ in 'Sport: Geschieht „swing“?'.
        for part in re.split(r": | \(", item["label"]):
            self._texts.add(part.rstrip(")"))
        self._texts |= set(re.findall("„(.+?)“", str(values.get("ask", ""))))
        about = str(values.get("about", ""))
        self._texts |= set(re.findall("(?:Lösung|Kategorie): ([^;]+)", about))


def _titles(stage: dict[str, Any]) -> set[str]:
    clips = stage.get("clips", [])
    beside = {video["label"].partition(":")[0] for video in stage.get("beside", [])}
    source = stage.get("source", {})
    return {clip["title"] for clip in clips} | beside | {source.get("title", "")}
