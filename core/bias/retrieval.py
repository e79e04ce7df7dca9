"""Common-sense bias of retrieval: the rank of a caption's own video among all (recall@1).

The rank counts from 0. Videos that are equally similar share the mean of their ranks, so a caption
hits only where its own video alone is the most similar one.
"""

from collections.abc import Iterator

import numpy as np

from core.bias.representation import (
    NOTHING,
    Bools,
    Floats32,
    Ints,
    Represented,
    Time,
    is_empty,
)

_BLOCK = 256
_EQUAL = 5e-7  # cosines of float32 that are nearer than this are the same


def ranks(similarity: Floats32, own: Ints) -> Floats32:
    """(Q,) rank of each caption's own video, from 0, halves where two are equal.

    Args:
        similarity: (Q, V) of captions and videos.
        own: (Q,) index of each caption's video.
    """
    mine = similarity[np.arange(len(own)), own][:, None]
    better = (similarity > mine + _EQUAL).sum(axis=1)
    not_worse = (similarity >= mine - _EQUAL).sum(axis=1)
    return np.asarray(better + (not_worse - better - 1) / 2, np.float32)


def hits(captions: Floats32, videos: Floats32, own: Ints) -> Bools:
    """(Q,) whether each caption finds its own video first; never where that has no text.

    Args:
        captions: (Q, D) unit vectors.
        videos: (V, D) unit vectors.
        own: (Q,) index of each caption's video.
    """
    found = np.zeros(len(captions), np.bool_)
    for block in _blocks(len(captions)):
        found[block] = _alone(captions[block] @ videos.T, own[block])
    return found & ~is_empty(videos)[own]


def _alone(similarity: Floats32, own: Ints) -> Bools:
    """(Q,) whether each caption's own video has rank 0: no other is as similar.

    The same as `ranks(similarity, own) == 0`, in one pass instead of four.
    """
    rows = np.arange(len(own))
    mine = similarity[rows, own]
    similarity[rows, own] = -np.inf
    alone = np.asarray(similarity.max(axis=1) < mine - _EQUAL, np.bool_)
    similarity[rows, own] = mine
    return alone


def by_time(
    represented: Represented, captions: Floats32, own: Ints, frame_captions: Floats32 | None = None
) -> tuple[dict[Time, Bools], Bools]:
    """Hits at the four times, and those of the frames chosen without the truth.

    For the best frame, which knows the answer, all videos stand for themselves by their frame of
    the same number, and a caption hits where it does by any number. Chosen without the truth, each
    video stands by its frame that is the most similar to the caption.

    Args:
        represented: vectors of V videos.
        captions: (Q, D) unit vectors, asked for a video; `frame_captions` for a single frame, the
            same where None.
        own: (Q,) index of each caption's video.
    """
    of_frames = captions if frame_captions is None else frame_captions
    count = represented.frames.shape[1]
    by_frame = np.zeros((count, len(captions)), np.bool_)
    chosen = np.zeros(len(captions), np.bool_)
    frames = [np.ascontiguousarray(represented.frames[:, number].T) for number in range(count)]
    seen = ~is_empty(represented.frames)
    everywhere: list[bool] = [bool(seen[:, number].all()) for number in range(count)]
    for block in _blocks(len(captions)):
        highest: Floats32 | None = None
        mine = own[block]
        for number, table in enumerate(frames):
            similarity = of_frames[block] @ table
            by_frame[number, block] = _alone(similarity, mine) & seen[mine, number]
            if not everywhere[number]:
                similarity[:, ~seen[:, number]] = -1
            if highest is None:
                highest = similarity
            else:
                np.maximum(highest, similarity, out=highest)
        assert highest is not None
        chosen[block] = _alone(highest, mine) & seen[mine].any(axis=1)
    times: dict[Time, Bools] = {
        "middle": by_frame[(count - 1) // 2],
        "best": np.asarray(by_frame.any(axis=0), np.bool_),
        "average": hits(of_frames, represented.average, own),
        "sequence": hits(captions, represented.sequence, own),
    }
    return times, chosen


def _blocks(count: int) -> Iterator[slice]:
    return (slice(start, start + _BLOCK) for start in range(0, count, _BLOCK))


def first(captions: Floats32, videos: Floats32) -> Ints:
    """(Q,) index of the video that is the most similar to each caption; -1 where several are."""
    found = np.full(len(captions), NOTHING, np.int64)
    empty = is_empty(videos)
    for block in _blocks(len(captions)):
        similarity = captions[block] @ videos.T
        if empty.any():
            similarity[:, empty] = -1
        nearest = np.asarray(similarity.argmax(axis=1), np.int64)
        found[block] = np.where(_alone(similarity, nearest), nearest, NOTHING)
    return found
