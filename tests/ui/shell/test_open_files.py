"""A server may open as many files as the system lets it, and says so where those are few."""

import json
import resource
import subprocess
import sys

import pytest

PROGRAM = """
import json, resource, sys
from ui.shell.serve import file_limit_words

told = []
for soft, hard in json.loads(sys.argv[1]):
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    words = file_limit_words()
    told.append([resource.getrlimit(resource.RLIMIT_NOFILE)[0], words])
print(json.dumps(told))
"""


def test_the_soft_limit_is_raised_to_the_hard_one_and_few_files_are_said() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < 8_000:
        pytest.skip(f"this system allows {hard} files only")
    # A process may lower its hard limit and not raise it again, so the higher one comes first.
    limits = [(1_024, 8_000), (256, 1_024)]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps(limits)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    enough, few = json.loads(done.stdout)
    assert enough == [8_000, []]
    assert few[0] == 1_024
    [line] = few[1]
    # An open page takes four files: 1,024 / 4 = 256.
    assert "may open 1,024 files, enough for about 256 open pages" in line
    assert "ulimit -n 4096" in line
