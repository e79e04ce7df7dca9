"""Memory for frames that several processes share."""

import mmap
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from queue import Queue

import numpy as np
from numpy.typing import NDArray

Frames = NDArray[np.uint8]

_PAGE = mmap.ALLOCATIONGRANULARITY


class Arena:
    """Memory in equal slots that worker processes write to and this one reads.

    On Linux it is memory without a name, gone with this process however that ends; elsewhere a
    file in the temporary folder.
    """

    def __init__(self, slots: int, size: int):
        self.size = size
        self._free: Queue[int | None] = Queue()
        for slot in range(slots):
            self._free.put(slot)
        self._path: Path | None = None
        if hasattr(os, "memfd_create"):
            self._file = os.memfd_create("rushes-frames")
            self.address = f"/proc/{os.getpid()}/fd/{self._file}"
        else:
            self._file, name = tempfile.mkstemp(prefix="rushes-frames-")
            self._path, self.address = Path(name), name
        os.ftruncate(self._file, slots * size)
        self.inode = os.fstat(self._file).st_ino
        self._map = mmap.mmap(self._file, slots * size)
        self.memory = memoryview(self._map)

    def take(self) -> int | None:
        """Return a free slot, after waiting for it; None once the memory is being closed."""
        return self._free.get()

    def give_back(self, slots: Sequence[int]) -> None:
        """Mark slots as free again."""
        for slot in slots:
            self._free.put(slot)

    def close_free(self) -> None:
        """Wake the thread that waits for a slot."""
        self._free.put(None)

    def view(self, offset: int, shape: tuple[int, ...]) -> Frames:
        """Return the memory from byte ``offset`` on as an array; nothing is copied."""
        count = int(np.prod(shape))
        return np.frombuffer(self.memory, np.uint8, count, offset).reshape(shape)

    def close(self) -> None:
        """Release the memory."""
        # Views that were handed out may still be held; the memory goes with the last of them.
        os.close(self._file)
        if self._path is not None:
            self._path.unlink(missing_ok=True)


def slot_size(longest_side: int | None, frames: int) -> int:
    """Bytes that a clip of so many frames takes, in whole pages."""
    # Three quarters of a square: every usual shape from 4:3 on fits.
    side = longest_side or 1920
    size = frames * side * side * 3 * 3 // 4
    return (size + _PAGE - 1) // _PAGE * _PAGE
