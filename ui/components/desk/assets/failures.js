// The room of failures, as Streamlit mounts it.

import { createRoom } from "./failures_room.js";
import { mounted } from "./mounting.js";

export default mounted({
  className: "desk failures",
  sheets: ["desk.css", "stage.css", "timeline.css", "clips.css", "form.css", "dialogs.css", "record.css", "failures.css", "failures_card.css"],
  identity: (data) => [data.base, data.person, data.filter],
  create: createRoom,
});
