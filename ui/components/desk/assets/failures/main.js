// The room of failures, as Streamlit mounts it.

import { createRoom } from "./room.js";
import { mounted } from "../shared/mounting.js";
import { speak } from "../shared/texts.js";

export default mounted({
  className: "desk failures",
  sheets: [
    "shared/styles/desk.css",
    "shared/styles/work.css",
    "shared/styles/stage.css",
    "shared/styles/player.css",
    "shared/styles/timeline.css",
    "shared/styles/clips.css",
    "shared/styles/form.css",
    "shared/styles/dialogs.css",
    "shared/styles/record.css",
    "failures/styles/failures.css",
    "failures/styles/view.css",
    "failures/styles/tags.css",
    "failures/styles/card.css",
    "failures/styles/wall.css",
  ],
  identity: (data) => [data.base, data.person, data.filter, data.view, data.at],
  create(root, data) {
    speak({}); // authors' pages are English
    return createRoom(root, data);
  },
});
