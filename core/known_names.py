"""Names in a file of settings: those that nobody reads are told, with the nearest that is read."""

import difflib
from collections.abc import Iterable, Sequence

from core.refusal import Refusal


def refuse_unknown(names: Iterable[str], known: Sequence[str], where: str) -> None:
    """Refuse a name that is not known: it would be passed over, and what it says be lost.

    Args:
        names: in the file.
        known: all that are read.
        where: the file, and the part of it.

    Raises:
        Refusal: for the first unknown one.
    """
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            hint = f" Did you mean {near[0]}?" if near else ""
            raise Refusal(f"{where}: {name!r} is not known.{hint} Allowed: {', '.join(known)}.")
