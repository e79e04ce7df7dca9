// The desk, as Streamlit mounts it.

import { createDesk } from "./desk.js";
import { mounted } from "../shared/mounting.js";

export default mounted({
  className: "desk",
  sheets: [
    "shared/styles/desk.css",
    "shared/styles/work.css",
    "shared/styles/stage.css",
    "shared/styles/player.css",
    "shared/styles/timeline.css",
    "shared/styles/clips.css",
    "shared/styles/form.css",
    "desk/styles/fields.css",
    "desk/styles/lists.css",
    "shared/styles/record.css",
    "desk/styles/tight.css",
    "shared/styles/dialogs.css",
  ],
  identity: (data) => [data.base, data.task, data.person, data.language],
  create: createDesk,
});
