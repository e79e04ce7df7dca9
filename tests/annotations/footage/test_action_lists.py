import json
from collections.abc import Sequence
from typing import Any

import pytest

from annotations.footage import expand
from annotations.footage.action_list import (
    action_key,
    actions_in,
    add_actions,
    approved_actions,
    describe,
    set_state,
)
from annotations.footage.expand import expand_actions
from core.model import Reply, Request
from core.refusal import Refusal
from db.connection import Store


def test_names_that_mean_the_same_come_once(store: Store):
    assert action_key("Alley-oop Dunks") == action_key("alley oop dunk")
    assert action_key("倒钩") != action_key("倒挂")
    pairs = [("Alley-oop dunks", ""), ("alley oop dunk", "again"), ("Rabona", "")]
    assert add_actions(store, "moves", pairs, step="given", who="Eva") == 2


def test_every_decision_is_kept(store: Store):
    add_actions(store, "moves", [("Rabona", "")], step="expand", who="gpt-x", round_number=2)
    [action] = actions_in(store, "moves")
    set_state(store, [action.id], "squeezed", who="gpt-x", step="squeeze", why="too general")
    set_state(store, [action.id], "approved", who="Eva")
    events = store.rows("SELECT step, who, verdict, why FROM action_event ORDER BY id")
    assert [(row["step"], row["who"], row["verdict"], row["why"]) for row in events] == [
        ("expand", "gpt-x", "proposed", ""),
        ("squeeze", "gpt-x", "squeezed", "too general"),
        ("person", "Eva", "approved", ""),
    ]
    [action] = actions_in(store, "moves")
    assert action.origin == "expand, round 2, gpt-x"
    assert approved_actions(store, "moves") == {"Rabona": ""}


def test_an_action_is_described_but_not_made_another_one(store: Store):
    add_actions(store, "moves", [("Rabona", ""), ("Panenka", "")])
    first, second = actions_in(store, "moves")
    describe(store, first.id, "Rabona cross", "legs crossed", "Eva")
    assert actions_in(store, "moves")[0].description == "legs crossed"
    with pytest.raises(Refusal, match="has 'Panenka' already"):
        describe(store, first.id, "panenkas", "", "Eva")
    for into, state in ((None, "merged"), (second.id, "approved")):
        with pytest.raises(Refusal, match="To merge"):
            set_state(store, [first.id], state, who="Eva", into=into)
    with pytest.raises(Refusal, match="no action"):
        add_actions(store, "moves", [("--", "")])


class Scripted:
    """A language model whose replies were written beforehand."""

    def __init__(self, replies: list[str]):
        self.replies, self.asked = replies, list[str]()

    def generate(self, requests: Sequence[Request], max_tokens: int) -> list[Reply]:
        [request] = requests
        self.asked.append(request.text)
        return [Reply(self.replies.pop(0), 10, True)]


def scripted(monkeypatch: pytest.MonkeyPatch, *replies: Any) -> Scripted:
    texts = [reply if isinstance(reply, str) else json.dumps(reply) for reply in replies]
    model = Scripted(texts)
    monkeypatch.setattr(expand, "load_model", lambda kind, name, options: model)
    return model


def test_rounds_expand_and_squeezing_names_reasons(store: Store, monkeypatch: pytest.MonkeyPatch):
    model = scripted(
        monkeypatch,
        [{"name": "Rabona", "description": "legs crossed"}, {"name": "Shot (drive)/Volley"}],
        [{"name": "Panenka"}, {"name": "rabonas"}],
        [{"name": "Volley", "reason": "too general"}, {"name": "Nutmeg", "reason": "?"}],
    )
    result = expand_actions(store, "moves", "m", domain="football", rounds=2)
    # Round 1: Rabona and the two names of one entry; round 2: Panenka, since rabonas are there.
    assert result.new == (3, 1)
    assert (result.squeezed, result.refused, result.failed) == (1, 1, 0)
    states = {one.name: one.state for one in actions_in(store, "moves")}
    assert states == {"Rabona": "proposed", "Shot (drive)": "proposed", "Volley": "squeezed",
                      "Panenka": "proposed"}  # fmt: skip
    assert "Rabona" in model.asked[1], "the second round is told what there is"


def test_a_round_that_adds_little_is_the_last(store: Store, monkeypatch: pytest.MonkeyPatch):
    add_actions(store, "moves", [("Rabona", "")])
    model = scripted(monkeypatch, [{"name": "rabona"}], [])
    result = expand_actions(store, "moves", "m", domain="football", rounds=5)
    assert result.new == (0,)
    assert model.replies == []


def test_a_reply_that_cannot_be_read_costs_itself(store: Store, monkeypatch: pytest.MonkeyPatch):
    add_actions(store, "moves", [("Rabona", "")])
    scripted(monkeypatch, "I would rather not.", [])
    assert expand_actions(store, "moves", "m", domain="football", rounds=1).failed == 1
    with pytest.raises(Refusal, match="domain"):
        expand_actions(store, "moves", "m", domain=" ")
