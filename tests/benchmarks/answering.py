"""How long an answer takes until it is acknowledged as stored, and whether memory stays flat.

Run by hand: `python tests/benchmarks/answering.py`. First 50 people answer one item each 3 s, then
5,000 answers come as fast as they are taken. Clients and server share this machine: what each of
them takes of its processors is printed, for one answer with its share of opening the desk, fetching
more items and the first look at all items after the start. The server's is the figure to compare
where other work goes on beside.
"""

import argparse
import tempfile
import time
from pathlib import Path

from served import Server, Worker, percentile, say

from annotations.demo.setup import make_demo


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=50)
    parser.add_argument("--every", type=float, default=3.0, help="s between one person's answers")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--answers", type=int, default=5000, help="of the memory run")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        demo = Path(scratch) / "demo"
        make_demo(demo, lambda words: None).close()
        server = Server(demo, Path(scratch), copies=60)
        try:
            paced(server, given.people, given.every, int(given.seconds / given.every))
            flat_memory(server, given.answers)
        finally:
            server.stop()


def paced(server: Server, people: int, every_s: float, answers: int) -> None:
    """Acknowledgement times of people who answer at a steady pace."""
    task = server.task("16 frames")
    workers = [Worker(server, f"p{n}", task, every_s, answers) for n in range(people)]
    cpu, own_cpu, begin = server.cpu_s(), time.process_time(), time.monotonic()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    took = time.monotonic() - begin
    waits = [wait for worker in workers for wait in worker.waits_ms]
    failures = [words for worker in workers for words in worker.failures]
    say(f"{people} people, one answer each {every_s:g} s: {len(waits)} answers in {took:.0f} s")
    p50, p95, p99 = (percentile(waits, share) for share in (0.5, 0.95, 0.99))
    say(f"  acknowledged: p50 {p50:.1f} ms, p95 {p95:.1f} ms, p99 {p99:.1f} ms")
    say(f"  failed: {len(failures)} {failures[:3]}")
    spent = server.cpu_s() - cpu
    each, own = (1000 * s / max(1, len(waits)) for s in (spent, time.process_time() - own_cpu))
    say(f"  server: {100 * spent / took:.0f} % of one processor, {each:.1f} ms an answer;"
          f" its clients {own:.1f} ms an answer")  # fmt: skip


def flat_memory(server: Server, answers: int) -> None:
    """Memory after each fifth of many answers."""
    task = server.task("full video")
    say(f"{answers} answers as fast as they are taken, by 4 people at a time:")
    say(f"  before: {server.memory_mb():.0f} MB")
    for part in range(5):
        each = answers // 20
        workers = [Worker(server, f"m{part}-{n}", task, 0.0, each) for n in range(4)]
        begin = time.monotonic()
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        count = sum(len(worker.waits_ms) for worker in workers)
        rate = count / (time.monotonic() - begin)
        failures = [words for worker in workers for words in worker.failures]
        say(f"  after {count} more: {server.memory_mb():.0f} MB ({rate:.0f} answers/s;"
              f" {len(failures)} failed)")  # fmt: skip


if __name__ == "__main__":
    main()
