"""What a known answer to a form of one's own may hold."""

from typing import Any

from annotations.form.declaration import CLIP, SCALE, read_fields


def known_answer(settings: dict[str, Any], payload: dict[str, Any]) -> dict[str, Any]:
    """Fields of the form with the values of each; None for words, frames and segments."""
    clips = [clip["id"] for clip in payload["clips"]]
    values = {
        field.name: field.options or {SCALE: field.steps, CLIP: clips}.get(field.type)
        for field in read_fields(settings["fields"])
    }
    return {"values": values, "texts": values, **dict.fromkeys(("scales", "accepted", "why"))}
