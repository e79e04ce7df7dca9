// The menus of filters: which answers, runs, questions and failures, and their order.

import { createMenu } from "./menu.js";
import { STATES } from "./words.js";

export function createMenus({ facts, classes, read, write, usual }) {
  const pairs = (named) => Object.entries(named ?? {});
  const plain = (list) => (list ?? []).map((one) => [one, one]);
  return [
    createMenu(
      "Answers",
      () => [
        { name: "outcome", title: "Answer", options: pairs(facts()?.outcomes), usual: "wrong" },
        { name: "states", title: "How it was read", several: true, options: pairs(STATES) },
      ],
      { read, write },
    ),
    createMenu(
      "Runs",
      () => [
        { name: "conditions", title: "Condition", several: true, options: plain(facts()?.conditions) },
        { name: "runs", title: "Run", several: true, options: (facts()?.runs ?? []).map((run) => [run.id, run.name]) },
      ],
      { read, write },
    ),
    createMenu(
      "Beside",
      () => [
        { name: "people", title: "People, over all their answers to the question", options: pairs(facts()?.people) },
        { name: "others", title: "Other runs, among those that are chosen", options: pairs(facts()?.others) },
      ],
      { read, write },
    ),
    createMenu(
      "Questions",
      () => [
        {
          name: "once",
          options: [
            [false, "every prediction"],
            [true, "each question once"],
          ],
          usual: usual().once,
        },
        { name: "categories", title: "Category", several: true, options: plain(facts()?.categories) },
        { name: "tags", title: "Tags", several: true, options: plain(facts()?.tags) },
      ],
      { read, write },
    ),
    createMenu(
      "Failures",
      () => [
        { name: "tagged", options: pairs(facts()?.tagged) },
        {
          name: "classes",
          title: "Tagged as any of",
          several: true,
          options: classes().map((one) => [one.id, one.label]),
        },
      ],
      { read, write },
    ),
    createMenu(
      "Order",
      () => [{ name: "order", options: pairs(facts()?.orders), usual: usual().order }],
      { read, write },
    ),
  ];
}
