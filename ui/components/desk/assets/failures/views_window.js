// The window of named views: each opens, is renamed or deleted; the present view gets a name.

import { el, press } from "../shared/dom.js";

// query: of the link to the present view; change(body) does it on the server and lists the views anew.
export function viewsWindow(dialogs, views, query, change) {
  let renamed = null; // the view that the field below renames; else it names the present one
  const list = el("ul", { class: "history" });
  const problem = el("p", { class: "problem", role: "alert", hidden: true });
  const name = el("input", { type: "text", maxlength: 120, "aria-label": "Name of the view" });
  const save = press("Name this view", finish, { kind: "solid" });

  async function run(body) {
    problem.hidden = true;
    try {
      draw(await change(body));
    } catch (trouble) {
      [problem.hidden, problem.textContent] = [false, trouble.message];
    }
  }

  function finish() {
    return run(renamed ? { id: renamed.id, name: name.value } : { name: name.value, query });
  }

  function rename(view) {
    renamed = view;
    [name.value, save.textContent] = [view?.name ?? "", view ? "Rename it" : "Name this view"];
    name.focus();
  }

  function line(view) {
    const remove = press("Delete", () => {
      if (remove.textContent !== "Delete") return run({ id: view.id });
      remove.textContent = "Delete it for everybody";
    });
    return el(
      "li",
      { class: "row" },
      el("a", { href: `?${view.query}`, target: "_self", title: `Named by ${view.author}` }, view.name),
      el("span", { class: "spring" }),
      press("Rename", () => rename(view), { kind: "quiet" }),
      remove,
    );
  }

  function draw(listed) {
    list.replaceChildren(...listed.map(line));
    rename(null);
  }

  name.addEventListener("keydown", (event) => {
    if (event.key === "Escape") dialogs.close();
    else if (event.key === "Enter") finish();
    else return;
    event.preventDefault();
  });
  const foot = el("div", { class: "row window-foot" }, name, save);
  dialogs.show("Views with a name", el("div", { class: "window-body" }, list, problem, foot));
  draw(views);
}
