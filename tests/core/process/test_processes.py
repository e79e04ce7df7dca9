import math
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from core.decoding.shared_decoding import DecodeTask, decode_into
from core.process.processes import (
    NoProcesses,
    ProcessDied,
    TookTooLong,
    Workers,
    call,
    lend,
    workers_for,
)

NO_CLIP = DecodeTask(0, "", 1, None, None, 0, 0, 0, "", 0)


def test_a_call_gives_its_result_and_raises_its_error():
    assert call(math.hypot, 3, 4, timeout_s=30) == 5
    with pytest.raises(ValueError, match="invalid literal"):
        call(int, "x", timeout_s=30)


def test_a_hang_costs_its_time_limit_and_no_more():
    call(math.sqrt, 4, timeout_s=30)
    before = time.monotonic()
    with pytest.raises(TookTooLong, match=r"Stopped after 0\.5 s"):
        call(time.sleep, 60, timeout_s=0.5)
    assert time.monotonic() - before < 10


def test_a_crash_costs_its_job_and_the_others_go_on():
    with Workers(2) as workers:
        jobs = [0, 3, -1, 0]
        outcomes = sorted(workers.map(_exit_or_not, jobs, 30), key=lambda pair: pair[0])
    assert [job for job, _ in outcomes] == [-1, 0, 0, 3]
    died = [result for job, result in outcomes if job == 3]
    assert isinstance(died[0], ProcessDied)
    assert "exit code 3" in str(died[0])
    assert isinstance(outcomes[0][1], ValueError)
    assert [result for job, result in outcomes if job == 0] == ["fine", "fine"]


def test_a_call_that_asks_for_too_much_memory_fails_alone():
    with Workers(1, memory_limit=2 * 2**30) as workers:
        with pytest.raises(ProcessDied, match="memory"):
            workers.call(bytearray, 8 * 2**30, timeout_s=30)
        assert workers.call(math.sqrt, 9, timeout_s=30) == 3


def test_a_worker_may_use_the_shared_pool_without_making_one():
    assert call(_call_again, timeout_s=30) == 5


def test_processes_that_end_between_two_calls_cost_nothing():
    with Workers(2) as workers:
        first = {workers.call(os.getpid, timeout_s=30) for _ in range(4)}
        for process in first:
            os.kill(process, signal.SIGKILL)
        assert workers.call(math.sqrt, 16, timeout_s=30) == 4
        for process in {workers.call(os.getpid, timeout_s=30) for _ in range(4)}:
            os.kill(process, signal.SIGKILL)
        found = dict(workers.map(math.sqrt, [1, 4, 9, 16, 25], 30))
    assert found == {1: 1, 4: 2, 9: 3, 16: 4, 25: 5}


def test_processes_that_never_get_anywhere_are_given_up():
    # Too little memory to load what the function needs: they end before they take a call.
    with (
        Workers(2, memory_limit=300 * 2**20) as workers,
        pytest.raises(NoProcesses, match="2 processes cannot be kept up"),
    ):
        list(workers.map(decode_into, [NO_CLIP] * 50, 30))


def test_calls_after_the_end_are_refused():
    workers = Workers(1)
    workers.close()
    with pytest.raises(RuntimeError, match="closed"):
        workers.call(math.sqrt, 4, timeout_s=30)


def test_a_process_takes_one_processor_whatever_the_machine_has():
    with Workers(1) as workers:
        assert workers.call(_threads_of_numpy, timeout_s=60) == "1"


def test_workers_end_when_the_process_that_has_them_is_killed(tmp_path: Path):
    script = tmp_path / "killed.py"
    script.write_text(
        "import os, time\n"
        "from core.process.processes import Workers\n"
        "if __name__ == '__main__':\n"
        "    workers = Workers(1)\n"
        "    print(workers.call(os.getpid, timeout_s=60), flush=True)\n"
        "    workers.call(time.sleep, 600, timeout_s=600)\n"
    )
    process = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    worker = int(process.stdout.readline())
    process.kill()
    process.wait()
    until = time.monotonic() + 20
    while Path(f"/proc/{worker}").exists() and time.monotonic() < until:
        time.sleep(0.1)
    assert not Path(f"/proc/{worker}").exists()


def test_workers_do_not_run_the_main_module(tmp_path: Path):
    # Under Streamlit the main module is a page; running it again would start the app.
    script = tmp_path / "page.py"
    script.write_text(
        "print('page runs')\n"
        "import math\n"
        "from core.process.processes import call\n"
        "print(call(math.sqrt, 49, timeout_s=30))\n"
    )
    said = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, timeout=60, check=True
    )
    assert said.stdout.splitlines() == ["page runs", "7.0"]


def _exit_or_not(code: int) -> str:
    if code < 0:
        raise ValueError("below zero")
    if code:
        os._exit(code)
    return "fine"


def _threads_of_numpy() -> str:
    import numpy as np

    assert (np.ones((200, 200)) @ np.ones((200, 200)))[0, 0] == 200
    return str(len(os.listdir("/proc/self/task")) - 1)


def _call_again() -> float:
    return call(math.hypot, 3, 4, timeout_s=30)


def test_lent_workers_are_used_warm_and_outlive_who_borrows_them():
    with Workers(1) as own, lend(own):
        with workers_for(5) as first:
            pid = first.call(os.getpid, timeout_s=30)
        with workers_for(5) as second:
            assert (second is own, second.call(os.getpid, timeout_s=30)) == (True, pid)
