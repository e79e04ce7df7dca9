"""Titles: building the index, and finding 100 hits, beside tantivy and bm25s in the same run.

    python tests/benchmarks/footage_titles.py --titles 4500000 --queries 80

Titles are made: words drawn by Zipf's law from a vocabulary of several scripts, 10,000 actions put
into them as a phrase (30 %), in part (35 %) or by their domain alone. "Recall" is the share of
plain BM25's first hundred over any word (FTS5's own OR) that is among ours. All three look for
videos of at least 1,000 views.

With `--folder` the index is kept there: what was killed goes on where it was, and a finished one is
used again. How long building took, over all sessions, stands beside it in `built.json`.
"""

import argparse
import json
import random
import resource
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from annotations.footage.store import add_batch
from annotations.footage.title_search import find_titles
from core.footage.candidate import Candidate
from core.footage.titles import folded, query_of, quoted
from db.connection import rows
from db.footage import open_footage

AT_ONCE = 500  # titles of a transaction
PLAIN = """
  SELECT v.id FROM title_index x JOIN video v ON v.id = x.rowid
  WHERE title_index MATCH ? AND v.views >= 1000 ORDER BY rank LIMIT 100
"""
SYLLABLES = [
    "ka",
    "lo",
    "mi",
    "ter",
    "son",
    "ra",
    "vel",
    "dor",
    "in",
    "ex",
    "qua",
    "pli",
    "sto",
    "ne",
    "ru",
    "bi",
    "fan",
    "go",
    "he",
    "ju",
]
SIGNS = "倒钩射门足球手道空中打击投篮跳高滑雪体操拳"


def vocabulary(size: int, draw: random.Random) -> list[str]:
    words: dict[str, None] = {}
    while len(words) < size:
        kind = draw.random()
        if kind < 0.12:
            words["".join(draw.choices(SIGNS, k=draw.randint(1, 3)))] = None
        elif kind < 0.2:
            words["é".join(draw.choices(SYLLABLES, k=2))] = None
        words["".join(draw.choices(SYLLABLES, k=draw.randint(2, 5)))] = None
    return list(words)


class Titles:
    """Made titles, the same ones each time for a seed."""

    def __init__(self, count: int, seed: int = 1):
        draw = random.Random(seed)
        self.count, self.seed = count, seed
        self.words = vocabulary(200_000, draw)
        self.domains = [self.words[n] for n in range(300, 450)]
        usual = self.words[100:30_000]
        self.actions = [
            (" ".join(draw.choice(usual) for _ in range(draw.randint(2, 3))),
             draw.choice(self.domains))
            for _ in range(10_000)
        ]  # fmt: skip

    def __iter__(self) -> Iterator[str]:
        numbers = np.random.default_rng(self.seed)
        draw = random.Random(self.seed)
        for begin in range(0, self.count, 10_000):
            size = min(10_000, self.count - begin)
            drawn = np.minimum(numbers.zipf(1.15, size=(size, 8)), len(self.words)) - 1
            lengths = numbers.integers(3, 9, size)
            for row, length in zip(drawn, lengths, strict=True):
                words = [self.words[n] for n in row[:length]]
                action, domain = draw.choice(self.actions)
                kind = draw.random()
                if kind < 0.3:
                    words.insert(draw.randint(0, len(words)), action)
                elif kind < 0.65:
                    words.insert(0, draw.choice(action.split()))
                    words.append(domain)
                else:
                    words.append(domain)
                yield " ".join(words)


def percentiles(values: list[float]) -> str:
    return f"p50 {np.percentile(values, 50):.1f} ms, p95 {np.percentile(values, 95):.1f} ms"


class Figures:
    """Wall and CPU times of what is done inside `with`, ms."""

    def __init__(self, name: str):
        self._name = name
        self._walls: list[float] = []
        self._cpus: list[float] = []

    def __enter__(self) -> None:
        self._began, self._used = time.perf_counter(), cpu()

    def __exit__(self, *error: object) -> None:
        self._walls.append(1000 * (time.perf_counter() - self._began))
        self._cpus.append(1000 * (cpu() - self._used))

    def __str__(self) -> str:
        return f"{self._name}: {percentiles(self._walls)}; CPU {percentiles(self._cpus)}"


def cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--titles", type=int, default=4_500_000)
    parser.add_argument("--queries", type=int, default=80)
    parser.add_argument("--folder", type=Path, help="keep the index here and use it again")
    arguments = parser.parse_args()
    titles = Titles(arguments.titles)
    views = np.random.default_rng(7).lognormal(7.5, 2.5, arguments.titles).astype(int)
    folder = arguments.folder or Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "footage.db"
    store = open_footage(file)
    build(store, titles, views, folder / "built.json")
    store.close()  # what is in the journal goes into the file, so that its size is that of all
    print(f"footage.db with metadata and index: {size_of(folder):.0f} MB")
    store = open_footage(file)
    draw = random.Random(3)
    queries = [f"{a} {d}" for a, d in draw.sample(titles.actions, arguments.queries)]
    for query in queries[:10]:
        find_titles(store, query, min_views=1000)
    figures = Figures("ours, action with domain")
    recalls = []
    for query in queries:
        with figures:
            hits = find_titles(store, query, min_views=1000, about=False).hits
        recalls.append(recall(store, query, {hit.id for hit in hits}))
    print(figures)
    print(f"recall of plain BM25's first hundred: mean {np.mean(recalls):.3f}")
    figures = Figures("ours, action alone")
    for query in queries:
        with figures:
            find_titles(store, query.rsplit(" ", 1)[0], min_views=1000, about=False)
    print(figures)
    beside_tantivy(titles, views, queries)
    beside_bm25s(titles, views, queries)


def build(store, titles: Titles, views: np.ndarray, notes: Path) -> None:
    """Add the titles that are not there yet, and print how long all of them took."""
    with store.read() as database:
        have = int(database.conn.execute("SELECT titles FROM index_size").fetchone()[0])
    if have > titles.count:
        raise SystemExit(f"{notes.parent} holds {have:,} titles; remove it, or ask for as many.")
    told = json.loads(notes.read_text()) if notes.exists() else {"s": 0.0, "cpu": 0.0, "ms": 0.0}
    if have:
        print(f"{have:,} titles are there already")
    for number, batch in batches(titles, views, have):
        began, used = time.perf_counter(), cpu()
        add_batch(store, batch)
        took = time.perf_counter() - began
        told["s"] += took
        told["cpu"] += cpu() - used
        told["ms"] = max(told["ms"], 1000 * took)
        if number % 100_000 < AT_ONCE or number == titles.count:
            notes.write_text(json.dumps(told))
            print(f"{number:,} titles", flush=True)
    if have and not told["s"]:
        print("how long building took was not noted")
        return
    print(
        f"built {titles.count:,} titles: {told['s']:.0f} s, CPU {told['cpu']:.0f} s; the longest "
        f"transaction {told['ms']:.0f} ms"
    )


def batches(titles: Titles, views: np.ndarray, have: int) -> Iterator[tuple[int, list[Candidate]]]:
    """How many titles there are then, and those to add."""
    batch: list[Candidate] = []
    for number, title in enumerate(titles):
        if number >= have:
            batch.append(Candidate("Made", str(number), title=title, views=int(views[number])))
        if len(batch) == AT_ONCE:
            yield number + 1, batch
            batch = []
    if batch:
        yield titles.count, batch


def size_of(folder: Path) -> float:
    """The size of a folder's files, MB."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def recall(store, query: str, found: set[int]) -> float:
    words = query_of(query).words
    expression = " OR ".join(quoted(word) for word in words)
    with store.read() as database:
        wanted = {row["id"] for row in rows(database, PLAIN, [expression])}
    return len(wanted & found) / max(1, len(wanted))


def beside_tantivy(titles: Titles, views: np.ndarray, queries: list[str]) -> None:
    try:
        import tantivy
    except ImportError:
        print("tantivy is not installed")
        return
    schema = tantivy.SchemaBuilder().add_text_field("title").add_unsigned_field(
        "views", fast=True, indexed=True).build()  # fmt: skip
    folder = Path(tempfile.mkdtemp())
    index = tantivy.Index(schema, path=str(folder))
    began = cpu()
    writer = index.writer(heap_size=200_000_000, num_threads=1)
    for number, title in enumerate(titles):
        document = tantivy.Document()
        document.add_text("title", folded(title))
        # A number that is handed over by name would be a signed one, over which the writer falls.
        document.add_unsigned("views", int(views[number]))
        writer.add_document(document)
    writer.commit()
    index.reload()
    searcher = index.searcher()
    built = cpu() - began
    figures = Figures("tantivy, any word, views")
    for query in queries:
        with figures:
            wanted = tantivy.Query.boolean_query([
                (tantivy.Occur.Must, index.parse_query(folded(query), ["title"])),
                (tantivy.Occur.Must, tantivy.Query.range_query(
                    schema, "views", tantivy.FieldType.Unsigned, 1000, 10**9)),
            ])  # fmt: skip
            searcher.search(wanted, 100)
    print(f"{figures}; built in CPU {built:.0f} s, {size_of(folder):.0f} MB without metadata")
    shutil.rmtree(folder)


def beside_bm25s(titles: Titles, views: np.ndarray, queries: list[str]) -> None:
    try:
        import bm25s
    except ImportError:
        print("bm25s is not installed")
        return
    began = cpu()
    index = bm25s.BM25()
    index.index(
        bm25s.tokenize([folded(title) for title in titles], stopwords=None, show_progress=False),
        show_progress=False,
    )
    built = cpu() - began
    folder = Path(tempfile.mkdtemp())
    index.save(folder)
    size = size_of(folder)
    shutil.rmtree(folder)
    watched = (views >= 1000).astype(np.float32)
    figures = Figures("bm25s, any word, views")
    for query in queries:
        with figures:
            tokens = bm25s.tokenize(folded(query), stopwords=None, show_progress=False)
            index.retrieve(tokens, k=100, show_progress=False, weight_mask=watched)
    print(f"{figures}; built in CPU {built:.0f} s, {size:.0f} MB without metadata")


if __name__ == "__main__":
    main()
