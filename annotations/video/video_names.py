"""Names of videos: when two of them, with other folders or as an address, are the same."""

import re
from functools import lru_cache
from pathlib import PurePosixPath

from annotations.video.video_folder import SUFFIXES

# A link says which video it is in one of these ways; files are named by that identity.
_YOUTUBE = re.compile(r"(?:[?&]v=|youtu\.be/|/embed/|/shorts/)([A-Za-z0-9_-]{11})")


# A file of predictions names each video hundreds of times.
@lru_cache(maxsize=50_000)
def _parts(name: str) -> tuple[str, ...]:
    linked = _YOUTUBE.search(name)
    if linked:
        return (linked[1].casefold(),)
    path = PurePosixPath(name.replace("\\", "/").casefold())
    bare = path.with_suffix("") if path.suffix in SUFFIXES else path
    return tuple(part for part in bare.parts if part not in (".", "/"))


def stem(name: str) -> str:
    """A name without folders and suffix, in small letters; of an address the id in it."""
    return (_parts(name) or ("",))[-1]


def same_video(name: str, stored: str) -> bool:
    """Whether a file's name of a video is the stored one, with more or fewer folders before it."""
    wanted, known = _parts(name), _parts(stored)
    length = min(len(wanted), len(known))
    return length > 0 and wanted[-length:] == known[-length:]
