// What a clip is called where it comes from, and a link to there. Only http and https are offered.

import { el } from "../dom.js";
import { tr } from "../texts.js";

export function createHead(of) {
  const title = el("span", { class: `head-title ${of}-title` });
  const link = el("a", { class: `head-link ${of}-link`, target: "_blank", rel: "noopener noreferrer", hidden: true });
  const element = el("p", { class: "head" }, title, link);

  function show(words, address) {
    title.textContent = words;
    title.title = words;
    const safe = /^https?:\/\//i.test(address ?? "");
    link.hidden = !safe;
    link.textContent = "";
    link.removeAttribute("href");
    element.hidden = !words && !safe;
    if (!safe) return;
    link.href = address;
    link.textContent = tr("Source: {host}", { host: link.hostname.replace(/^www\./, "") });
    link.title = address;
  }

  show("", "");
  return { element, show };
}
