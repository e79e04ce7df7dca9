"""A run on a Ray cluster of two nodes, one of which is killed while it works."""

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from annotations.engine.engine import Where, work
from annotations.engine.engine_hold import progress
from annotations.run.run_plan import plan_run
from annotations.workspace import Workspace

ITEMS = 200


def test_a_node_that_is_killed_costs_no_item_and_doubles_none(
    workspace: Workspace,
    footage: Callable[..., int],
    results: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
):
    ray = pytest.importorskip("ray", reason="Ray is not installed: pip install -e '.[ray]'")
    from ray.cluster_utils import Cluster

    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    run_id = plan_run(
        workspace, "vlm_screening", "stub:slow", task_id=footage(ITEMS),
        settings={"answer": "score"}, options={"batch": 2},
    )  # fmt: skip
    # No work on the head: both workers begin on the one node, and go on on the other.
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    ended: list[Any] = []
    try:
        doomed = cluster.add_node(num_cpus=2)
        ray.init(address=cluster.address, log_to_driver=False)
        where = Where(ray=True, ray_workers=2, decoders=1)
        thread = threading.Thread(target=lambda: ended.append(work(workspace, run_id, where=where)))
        thread.start()
        until = time.monotonic() + 120
        while progress(workspace, run_id).done < 6 and time.monotonic() < until:
            time.sleep(0.05)
        cluster.add_node(num_cpus=2)
        assert progress(workspace, run_id).done < ITEMS  # it dies at work, not afterwards
        cluster.remove_node(doomed, allow_graceful=False)
        thread.join(timeout=180)
    finally:
        ray.shutdown()
        cluster.shutdown()
    assert [(end.status, end.errors) for end in ended] == [("finished", {})]
    assert len(results(run_id)) == ITEMS
    assert {row["revision"] for row in results(run_id)} == {1}
