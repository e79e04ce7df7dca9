"""An OpenAI-compatible server, for real: a small one on this machine that misbehaves on request."""

import base64
import json
import threading
import time
from collections.abc import Callable, Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import cv2
import numpy as np
import pytest

from core.model import ItemError, LoadOptions, ModelError, Reply, Request
from core.model_loading import load_model
from core.models.server import first_token_shares
from core.reply import llm_json
from core.reply.reading import read

QUICK = LoadOptions(timeout_s=0.6, retries=3, back_off_s=0.01, workers=4)


class Asked:
    """What the server got, and what it does with it."""

    def __init__(self) -> None:
        self.bodies: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.turns: dict[str, int] = {}
        self.lock = threading.Lock()


def text_of(body: dict[str, Any]) -> str:
    content = body["messages"][-1]["content"]
    return content if isinstance(content, str) else content[-1]["text"]


@pytest.fixture
def server() -> Generator[tuple[str, Asked]]:
    asked = Asked()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with asked.lock:
                asked.bodies.append(body)
                asked.keys.append(self.headers.get("Authorization"))
            if self.path.endswith("/embeddings"):
                rows = [
                    {"index": i, "embedding": [len(t), 1.0, 0.0]}
                    for i, t in enumerate(body["input"])
                ]
                self.answer(200, {"data": rows[::-1]})
                return
            words = text_of(body)
            with asked.lock:
                turn = asked.turns[words] = asked.turns.get(words, 0) + 1
            self.chat(words, turn, body)

        def chat(self, words: str, turn: int, body: dict[str, Any]) -> None:
            if words == "slow":
                time.sleep(1.5)
            if words == "busy" and turn < 3:
                self.answer(429, {"error": {"message": "too many"}}, {"Retry-After": "0"})
            elif (words == "error inside" and turn < 3) or words == "error stays":
                self.answer(200, {"error": {"message": "too many for now", "code": 429}})
            elif words == "error is final":
                self.answer(200, {"error": {"message": "no such model", "code": 404}})
            elif words == "down":
                self.answer(503, {"error": {"message": "no worker"}})
            elif words == "long":
                self.answer(400, {"error": {"message": "context length exceeded"}})
            elif words == "moved":
                self.answer(302, {}, {"Location": "http://127.0.0.1:9/"})
            elif words == "garbage":
                self.raw(200, b"<html>oops")
            elif words == "empty":
                self.answer(200, {"choices": []})
            elif words == "renamed" and "max_tokens" in body:
                said = "Unsupported parameter: use 'max_completion_tokens' instead."
                self.answer(400, {"error": {"message": said}})
            else:
                self.answer(200, self.reply(words, body))

        def reply(self, words: str, body: dict[str, Any]) -> dict[str, Any]:
            choice: dict[str, Any] = {
                "message": {"role": "assistant", "content": f"you said {words}"},
                "finish_reason": "length" if words == "cut" else "stop",
            }
            if words == "only thinks":
                thought = "Two cats run. So B."
                choice["message"] = {"content": None, "reasoning_content": thought}
            if words == "json":
                choice["message"]["content"] = (
                    '```json\n{"accept": true, "reason": "a [1,2,] b",}\n```'
                )
            if body.get("logprobs") and words != "no chances":
                # ln 0.5, ln 0.25, ln 0.125 and ln 0.1.
                top = {" A": -0.6931, "B": -1.3863, "a": -2.0794, "The": -2.3026}
                chances = [{"token": t, "logprob": p} for t, p in top.items()]
                choice["logprobs"] = {"content": [{"token": " A", "top_logprobs": chances}]}
            return {"choices": [choice], "usage": {"completion_tokens": 3}}

        def answer(self, code: int, body: Any, headers: dict[str, str] | None = None) -> None:
            self.raw(code, json.dumps(body).encode(), headers)

        def raw(self, code: int, data: bytes, headers: dict[str, str] | None = None) -> None:
            try:
                self.send_response(code)
                for name, value in (headers or {}).items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)
            except OSError:
                pass  # whoever asked has given up

        def log_message(self, *_: Any) -> None:
            pass

    made = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=made.serve_forever, daemon=True)
    thread.start()
    yield f"server:http://127.0.0.1:{made.server_port}/v1#tiny", asked
    made.shutdown()
    made.server_close()


Ask = Callable[[str], Any]


def test_replies_come_in_order_and_one_failure_costs_one_item(server: tuple[str, Asked]):
    model = load_model("chat", server[0], QUICK)
    words = ["one", "slow", "down", "two", "long", "garbage", "empty", "moved", "cut"]
    replies = model.generate([Request(w) for w in words], 16)
    good = {w: r for w, r in zip(words, replies, strict=True) if isinstance(r, Reply)}
    bad = {w: r.reason for w, r in zip(words, replies, strict=True) if isinstance(r, ItemError)}
    assert good == {
        "one": Reply("you said one", 3, True),
        "two": Reply("you said two", 3, True),
        "cut": Reply("you said cut", 3, False),
    }
    assert bad == {
        "slow": "time-out",
        "down": "server busy",
        "long": "refused by the server",
        "garbage": "broken reply",
        "empty": "broken reply",
        "moved": "refused by the server",
    }
    turns = server[1].turns
    # First try and three more; a time-out is tried twice; a refusal is final.
    assert (turns["down"], turns["slow"], turns["long"]) == (4, 2, 1)


def test_a_busy_server_is_asked_again(server: tuple[str, Asked]):
    (reply,) = load_model("chat", server[0], QUICK).generate([Request("busy")], 16)
    assert reply.text == "you said busy"
    assert server[1].turns["busy"] == 3


def test_an_error_inside_a_good_status_is_an_error_in_the_server_s_words(server: tuple[str, Asked]):
    model = load_model("chat", server[0], QUICK)
    words = ["error inside", "error stays", "error is final"]
    good, stays, final = model.generate([Request(w) for w in words], 16)
    assert (good.text, server[1].turns["error inside"]) == ("you said error inside", 3)
    assert (stays.reason, stays.detail) == ("server busy", "too many for now (429)")
    assert server[1].turns["error stays"] == 4
    assert (final.reason, final.detail) == ("refused by the server", "no such model (404)")
    assert server[1].turns["error is final"] == 1


def test_a_reply_that_is_all_thought_is_kept_and_answers_nothing(server: tuple[str, Asked]):
    (reply,) = load_model("chat", server[0], QUICK).generate([Request("only thinks")], 16)
    assert "Two cats run. So B." in reply.text
    reading = read(reply.text, ["one cat", "two cats"])
    assert (reading.choice, reading.rule) == (None, "nothing follows the thinking")


def test_a_server_that_is_not_there_says_so():
    model = load_model("chat", "server:http://127.0.0.1:9/v1#none", QUICK)
    (reply,) = model.generate([Request("anyone?")], 16)
    assert isinstance(reply, ItemError)
    assert reply.reason == "server not reached"


def test_frames_go_as_pictures_in_order(server: tuple[str, Asked]):
    frames = np.stack([np.full((40, 80, 3), level, np.uint8) for level in (0, 128, 255)])
    options = LoadOptions(longest_side=40)
    load_model("chat", server[0], options).generate([Request("look", frames, "be brief")], 16)
    (body,) = server[1].bodies
    assert body["messages"][0] == {"role": "system", "content": "be brief"}
    *pictures, words = body["messages"][1]["content"]
    assert words == {"type": "text", "text": "look"}
    levels: list[float] = []
    for picture in pictures:
        head, coded = picture["image_url"]["url"].split(",")
        assert head == "data:image/jpeg;base64"
        image = cv2.imdecode(np.frombuffer(base64.b64decode(coded), np.uint8), cv2.IMREAD_COLOR)
        assert image is not None
        assert image.shape == (20, 40, 3)
        levels.append(float(image.mean()))
    assert levels == pytest.approx([0, 128, 255], abs=2)
    assert (body["model"], body["temperature"]) == ("tiny", 0)


def test_scores_come_from_the_first_tokens_chances(server: tuple[str, Asked]):
    model = load_model("chat", server[0], QUICK)
    (row,) = model.score([Request("which?")], [("A", "B", "C")])
    # A: 0.5 + 0.125 for "a"; B: 0.25; nothing for C; in all 0.875.
    assert row == pytest.approx((0.625 / 0.875, 0.25 / 0.875, 0), abs=1e-4)
    assert server[1].bodies[0]["max_tokens"] == 1
    assert model.scores


def test_a_server_without_chances_is_not_asked_for_them_again(server: tuple[str, Asked]):
    model = load_model("chat", server[0], LoadOptions(workers=1, back_off_s=0.01))
    rows = model.score([Request("no chances")] * 3, [("A", "B")] * 3)
    assert [row.reason for row in rows] == ["no probabilities"] * 3
    assert not model.scores
    assert len(server[1].bodies) == 1


def test_none_of_the_choices_being_likely_is_no_answer():
    with pytest.raises(ItemError, match="no answer"):
        first_token_shares([{"token": "Maybe", "logprob": -0.1}], ("yes", "no"))


def test_a_token_that_begins_one_choice_alone_stands_for_it():
    top = [{"token": " hand", "logprob": 0.0}, {"token": "s", "logprob": 0.0}]
    # "hand" can only become "handball"; a single letter says too little.
    assert first_token_shares(top, ("swimming", "handball")) == (0.0, 1.0)


def test_the_newer_name_of_the_limit_is_learned(server: tuple[str, Asked]):
    model = load_model("chat", server[0], LoadOptions(workers=1, back_off_s=0.01))
    first, second = model.generate([Request("renamed"), Request("renamed")], 7)
    assert (first.text, second.text) == ("you said renamed", "you said renamed")
    assert [("max_tokens" in b) for b in server[1].bodies] == [True, False, False]
    assert server[1].bodies[-1]["max_completion_tokens"] == 7


def test_the_key_comes_from_the_environment(
    server: tuple[str, Asked], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("MY_KEY", "abc")
    options = LoadOptions(api_key_env="MY_KEY")
    load_model("chat", server[0], options).generate([Request("hello")], 4)
    assert server[1].keys == ["Bearer abc"]
    assert "abc" not in repr(options)


def test_vectors_are_put_in_order_and_made_unit(server: tuple[str, Asked]):
    vectors = load_model("embedding", server[0], QUICK).embed(["ab", "abcd"])
    # (2, 1, 0) and (4, 1, 0) over their lengths.
    assert vectors == pytest.approx(
        np.array([[2, 1, 0] / np.sqrt(5), [4, 1, 0] / np.sqrt(17)]), abs=1e-6
    )


def test_broken_json_of_a_model_is_mended_where_it_can_be(server: tuple[str, Asked]):
    (reply,) = load_model("chat", server[0], QUICK).generate([Request("json")], 64)
    assert llm_json.read(reply.text).value == {"accept": True, "reason": "a [1,2,] b"}


@pytest.mark.parametrize(
    "name", ["server:ftp://a/v1#m", "server:http://a/v1", "server:http://me:pw@a/v1#m"]
)
def test_an_address_that_cannot_be_is_refused(name: str):
    with pytest.raises(ModelError):
        load_model("chat", name)
