// A form to look at and try on a page of the house around the desk: its fields without stage, queue or clock.

import { createFields } from "./fields/fields.js";
import { mounted } from "../shared/mounting.js";

export default mounted({
  className: "desk form-preview",
  sheets: [
    "shared/styles/desk.css",
    "shared/styles/work.css",
    "shared/styles/form.css",
    "desk/styles/fields.css",
    "desk/styles/lists.css",
    "shared/styles/record.css",
  ],
  identity: (data) => [data.fields, data.values],
  create(root, data) {
    const fields = createFields(data.fields, data.values, { changed() {}, onkeys() {} });
    root.append(fields.element);
    return { stop() {} };
  },
});
