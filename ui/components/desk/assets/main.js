// The desk, as Streamlit mounts it.

import { createDesk } from "./desk.js";
import { mounted } from "./mounting.js";

export default mounted({
  className: "desk",
  sheets: ["desk.css", "stage.css", "timeline.css", "clips.css", "form.css", "fields.css", "record.css", "tight.css", "dialogs.css"],
  identity: (data) => [data.base, data.task, data.person],
  create: createDesk,
});
