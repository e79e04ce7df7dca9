"""Prints what 10,000 resamples of 30 runs x 5,000 questions by video cost (goal: at most 2 s).

Run: python tests/benchmarks/bootstrap.py
"""

import time

import numpy as np

from core.metrics import accuracy
from core.statistics import bootstrap

RUNS, QUESTIONS = 30, 5_000


def measure(videos: int, times: int = 5) -> tuple[float, float]:
    """Wall and CPU seconds of the fastest of some repetitions, over that many videos."""
    random = np.random.default_rng(7)
    clusters = random.integers(0, videos, QUESTIONS)
    skill = random.uniform(0.2, 0.9, RUNS)
    right = random.random((QUESTIONS, RUNS)) < skill
    rows = np.stack([right, np.ones_like(right)], axis=2).astype(np.float64)
    best = (float("inf"), 0.0)
    for _ in range(times):
        wall, cpu = time.perf_counter(), time.process_time()
        bootstrap.estimate_many(accuracy, rows, clusters)
        best = min(best, (time.perf_counter() - wall, time.process_time() - cpu))
    return best


if __name__ == "__main__":
    for videos in (500, 1_500, 5_000):
        wall, cpu = measure(videos)
        print(f"{videos:>6} videos: {wall:.2f} s wall, {cpu:.2f} s CPU")
