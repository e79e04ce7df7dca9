"""Stages as JSON for the desk: content hashes become media addresses signed for the person."""

from collections.abc import Iterable
from typing import Any

from annotations.people import Person
from annotations.record.stage import Clips, Grid, Picker, Player, Stage
from annotations.record.video import sound_by_content
from annotations.video.frame_images import grid_of, name_places, sheet_facts
from annotations.video.preparer import Preparer
from annotations.workspace import Workspace
from ui.routes.media import address, frames_address

WITHOUT_VIDEO = "This question is asked on purpose without its video."


def players_of(stage: Stage | None) -> list[Player]:
    """The players of a stage: none, one, or one for each clip."""
    match stage:
        case Player():
            return [stage]
        case Clips(clips):
            return [clip.player for clip in clips]
        case Picker(_, player):
            return [player]
        case _:
            return []


class Stages:
    """Turns stages into JSON for one person."""

    def __init__(self, workspace: Workspace, preparer: Preparer, person: Person):
        """Keep whom the addresses are for."""
        self.workspace = workspace
        self.preparer = preparer
        self.person = person
        self._has_audio: dict[str, bool] = {}

    def look_up(self, stages: Iterable[Stage | None]) -> None:
        """Read what several stages need of the database at once."""
        unknown = {player.sha256 for stage in stages for player in players_of(stage)}
        unknown -= self._has_audio.keys()
        if unknown:
            with self.workspace.store.single() as database:
                self._has_audio |= sound_by_content(database, unknown)

    def json(self, stage: Stage | None) -> dict[str, Any]:
        """The stage; what cannot be shown becomes a note that says why."""
        match stage:
            case None:
                return {"type": "none", "note": WITHOUT_VIDEO}
            case Grid():
                return self.grid(stage)
            case Player():
                return self.player(stage)
            case Clips(clips):
                shown = [
                    {
                        "id": clip.id,
                        "title": clip.title,
                        "link": clip.link,
                        "poster": self._poster(clip.player),
                        **self.player(clip.player),
                    }
                    for clip in clips
                ]
                return {"type": "clips", "clips": shown}
            case Picker(grid, player):
                drawn = self.grid(grid)
                if drawn["type"] == "none":
                    return drawn
                moving = self.player(player)
                return {"type": "picker", "grid": drawn, "player": moving, **self._frames(player)}

    def grid(self, stage: Grid) -> dict[str, Any]:
        """A sheet, the place of every frame on it, and every frame large."""
        media = self.workspace.media
        facts, failure = sheet_facts(media, stage.sha256, stage.frames), ""
        if facts is None:
            failure = self.preparer.ensure(stage)
            facts = sheet_facts(media, stage.sha256, stage.frames)
        if facts is None:
            return {"type": "none", "note": f"The frames could not be made: {failure}"}
        sheet = media.sheet(stage.sha256, stage.frames)
        hidden = len(stage.frames) > 1 and all(time is None for time in stage.times)
        if hidden:
            name_places(media, stage.sha256, stage.frames)
        frames = zip(stage.frames, stage.times, facts["statuses"], strict=True)
        return {
            "type": "grid",
            "sheet": self._address(stage.sha256, f"sheets/{sheet.name}"),
            "columns": facts["columns"],
            "rows": -(-len(stage.frames) // facts["columns"]),
            "tile": facts["tile"],
            "frames": [
                {
                    "index": position if hidden else index,
                    "time": time,
                    "status": status,
                    "large": self._address(
                        stage.sha256,
                        f"sheets/{sheet.stem}/{position}.jpg" if hidden else f"frames/{index}.jpg",
                    ),
                }
                for position, (index, time, status) in enumerate(frames)
            ],
            "note": stage.note,
        }

    def player(self, stage: Player) -> dict[str, Any]:
        """A source and the times of its frames, s from the first; with marks, also pictures."""
        table = self.workspace.media.frame_table(stage.sha256)
        self.look_up([stage])
        player: dict[str, Any] = {
            "type": "player",
            "src": self._address(stage.sha256, "player"),
            "start": stage.start_s,
            "end": stage.end_s,
            "times": [round(time, 6) for time in table.times],
            "duration": table.duration_s,
            "has_audio": self._has_audio.get(stage.sha256, False),
        }
        if stage.title or stage.link:
            player["source"] = {"title": stage.title, "link": stage.link}
        pictures = grid_of(self.workspace.media, stage)
        if pictures is not None:
            player |= self._frames(stage)
            player["preview"] = self.grid(pictures)
        if stage.beside:
            player["beside"] = [
                {
                    "large": self._address(still.sha256, f"frames/{still.frame}.jpg"),
                    "src": self._address(still.sha256, "player"),
                    "label": still.label,
                }
                for still in stage.beside
            ]
        return player

    def _frames(self, stage: Player) -> dict[str, Any]:
        """Where each single frame of a clip is had, and which there are."""
        inside = self._inside(stage)
        return {
            "frame_url": frames_address(
                self.workspace, self.person, stage.sha256, inside[0], inside[-1]
            ),
            "start_index": inside[0],
            "end_index": inside[-1],
        }

    def _poster(self, stage: Player) -> str:
        """The address of a clip's first frame."""
        return self._address(stage.sha256, f"frames/{(self._inside(stage) or [0])[0]}.jpg")

    def _address(self, sha256: str, name: str) -> str:
        return address(self.workspace, self.person, sha256, name)

    def _inside(self, stage: Player) -> list[int]:
        media = self.workspace.media
        return media.frames_between(stage.sha256, stage.start_s, stage.end_s)
