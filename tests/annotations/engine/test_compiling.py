"""A model is compiled on the way where that saves more than it costs, and only there."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from annotations.engine import compiling
from annotations.engine.compiling import Compiling
from annotations.engine.engine import work
from annotations.run.run_plan import plan_run
from annotations.run.runs import all_runs
from annotations.workspace import Workspace

# Saves a fifth of the time, costs a minute.
MODEL = SimpleNamespace(compiled_saves=0.2, compile_s=60.0)


def savings(watch: Compiling, batches: int, working_s: float, waiting_s: float = 0.0):
    return [watch.saving_s(10, working_s, waiting_s) for _ in range(batches)]


@pytest.fixture(autouse=True)
def few_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first batch is let pass, three are timed."""
    monkeypatch.setattr(compiling, "WARM_UP", 1)
    monkeypatch.setattr(compiling, "MEASURED", 3)


def test_a_long_run_is_compiled_once_its_batches_are_timed():
    # 1,000 items, 10 a batch, 1 s each: after four batches 960 s are left, a fifth are 192 s.
    found = savings(Compiling(MODEL, 1_000, None), 6, 10.0)
    assert found == [0, 0, 0, pytest.approx(192 - 60), 0, 0]


def test_the_first_batches_count_for_nothing():
    watch = Compiling(MODEL, 1_000, None)
    assert watch.saving_s(10, 500.0, 500.0) == 0
    assert savings(watch, 3, 10.0)[-1] == pytest.approx(192 - 60)


def test_a_run_that_is_nearly_over_is_not():
    # 340 items: 300 s are left after four batches, a fifth are 60 s, no more than it costs.
    assert savings(Compiling(MODEL, 340, None), 6, 10.0) == [0] * 6
    assert max(savings(Compiling(MODEL, 341, None), 6, 10.0)) == pytest.approx(0.2)


def test_a_model_that_waits_for_decoding_is_not():
    assert savings(Compiling(MODEL, 10_000, None), 6, 10.0, 2.0) == [0] * 6
    assert max(savings(Compiling(MODEL, 10_000, None), 6, 10.0, 1.0)) > 0


@pytest.mark.parametrize("wish", [True, False])
def test_a_wish_is_kept(wish: bool):
    assert savings(Compiling(MODEL, 10_000, wish), 6, 10.0) == [0] * 6


def test_what_cannot_be_compiled_or_has_no_known_end_is_not():
    assert savings(Compiling(SimpleNamespace(), 10_000, None), 6, 10.0) == [0] * 6
    assert savings(Compiling(MODEL, 0, None), 6, 10.0) == [0] * 6


def test_a_run_compiles_its_model_on_the_way_and_says_so(
    workspace: Workspace,
    footage: Callable[..., int],
    scripted: Any,
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(compiling, "MOST_WAITING", 1.0)  # this model waits for decoding only
    asked: list[int] = []
    scripted.compiled_saves, scripted.compile_s = 0.5, -60.0  # worth a minute at once
    scripted.compile = lambda: asked.append(len(scripted.batches))
    settings = {"text": "red", "frames": 2}
    run_id = plan_run(
        workspace, "clip_similarity", "scripted", task_id=footage(6), settings=settings,
        options={"batch": 1},
    )  # fmt: skip
    assert work(workspace, run_id).status == "finished"
    [run] = all_runs(workspace)
    assert asked == [4]  # batches of one item
    assert run.facts["device"] == "nowhere, compiled on the way to save about 1 min"
