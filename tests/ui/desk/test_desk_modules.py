from collections.abc import Callable
from typing import Any

import pytest

from ui.components.desk.desk import (
    DESK,
    FAILURES,
    VIEWER,
    assets_folder,
    assets_hash,
    modules,
    mount_desk,
)

OpenDesk = Callable[..., Any]


def call(desk: Any, module: str, body: str, argument: Any = None) -> Any:
    """What a script says that is given one of the desk's modules as `m`, and an argument as `x`."""
    address = f"/desk/assets/{assets_hash()}/{module}"
    script = f"async x => {{ const m = await import('{address}'); {body} }}"
    return desk.page.evaluate(script, argument)


@pytest.mark.browser
def test_the_key_for_what_looks_alike_is_left_to_a_field_that_wants_it(open_desk: OpenDesk):
    words = call(
        open_desk(),
        "shared/player/beside.js",
        """const {tableOf} = await import(x);
        const beside = m.createBeside();
        beside.show({beside: [{large: 'data:,', label: 'alike'}]});
        const field = {key: 'W', words: 'Write'};
        const table = (...more) => tableOf([...beside.bindings(), ...more]).get('W').words;
        return [table(field), table().startsWith('What looks alike')];""",
        f"/desk/assets/{assets_hash()}/shared/keys.js",
    )
    assert words == ["Write", True]


def test_the_hash_of_the_assets_belongs_to_their_content():
    assert len(assets_hash()) == 16
    assert (assets_folder() / DESK).is_file()


@pytest.mark.parametrize("entry", [DESK, VIEWER, FAILURES])
def test_what_a_component_loads_ahead_is_all_that_it_imports(entry: str):
    """The loader asks for these at once; a module that is absent here would load late."""
    paths = modules(entry)
    assert len(set(paths)) == len(paths)
    assert all((assets_folder() / path).is_file() for path in paths)
    imports = sum(
        line.count(' from "') for path in paths for line in (assets_folder() / path).open()
    )
    assert imports >= len(paths) - 1


def test_the_two_applications_share_only_what_lies_in_shared():
    for entry, own in ((DESK, "desk"), (VIEWER, "shared"), (FAILURES, "failures")):
        assert {path.split("/")[0] for path in modules(entry)} <= {own, "shared"}


def test_a_desk_without_its_data_says_what_is_absent():
    with pytest.raises(ValueError, match="needs task, assets in its data"):
        mount_desk({"base": "/desk", "person": "ada"}, key="desk")
