"""Firefox as it comes in packages, driven over WebDriver BiDi, which it speaks by itself."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

from waiting import wait_until
from websockets.sync.client import connect

KEYS = {
    "Enter": "\ue007", "Tab": "\ue004", "Escape": "\ue00c", "Space": " ", "Delete": "\ue017",
    "ArrowUp": "\ue013", "ArrowDown": "\ue015",
}  # fmt: skip
# The desk stands in the shadow of Streamlit's component.
DESK = """(() => {
  const roots = [...document.querySelectorAll("*")].map((e) => e.shadowRoot).filter(Boolean);
  return roots.map((root) => root.querySelector(".desk")).find(Boolean);
})()"""
PREFERENCES = """
user_pref("media.autoplay.default", 0);
user_pref("app.normandy.enabled", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
"""
_ADDRESS = re.compile(r"WebDriver BiDi listening on (ws://\S+)")


class Firefox:
    """One window with one page."""

    def __init__(self, path: str, profile: Path):
        (profile / "user.js").write_text(PREFERENCES, "utf-8")
        log = profile / "log.txt"
        with log.open("wb") as stderr:
            self.process = subprocess.Popen(
                [path, "--headless", "--no-remote", "--profile", str(profile),
                 "--remote-debugging-port", "0", "--width", "1440", "--height", "900"],
                stderr=stderr,
            )  # fmt: skip
        found = wait_until(lambda: _ADDRESS.search(log.read_text("utf-8")), "Firefox", 60)
        self._context = connect(f"{found[1]}/session", max_size=None)
        self._socket = self._context.__enter__()
        self._sent = 0
        self.call("session.new", capabilities={})
        self.page = self.call("browsingContext.getTree")["contexts"][0]["context"]

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """What Firefox answers to a command."""
        self._sent += 1
        self._socket.send(json.dumps({"id": self._sent, "method": method, "params": params}))
        while True:
            answer = json.loads(self._socket.recv(timeout=60))
            if answer.get("id") == self._sent:
                assert answer["type"] == "success", answer
                return answer["result"]

    def go(self, url: str) -> None:
        self.call("browsingContext.navigate", context=self.page, url=url, wait="complete")

    def desk(self, expression: str) -> Any:
        """The value of an expression about `desk`, the desk's element; None while there is none."""
        result = self.call(
            "script.evaluate",
            expression=f"JSON.stringify(((desk) => desk && ({expression}))({DESK}) ?? null)",
            target={"context": self.page},
            awaitPromise=True,
        )
        assert result["type"] == "success", result
        return json.loads(result["result"]["value"])

    def press(self, *keys: str) -> None:
        """Press keys by name, or letters, one after the other."""
        actions = [
            {"type": type_, "value": KEYS.get(key, key)}
            for key in keys
            for type_ in ("keyDown", "keyUp")
        ]
        self.call(
            "input.performActions",
            context=self.page,
            actions=[{"type": "key", "id": "keyboard", "actions": actions}],
        )

    def middle(self, element: str) -> tuple[float, float]:
        """Where the middle of an element is in the window, px; by an expression about `desk`."""
        self.desk(f"({element}).scrollIntoView({{block: 'nearest'}}) ?? true")
        box = f"({element}).getBoundingClientRect()"
        x, y, width, height = self.desk(f"((b) => [b.x, b.y, b.width, b.height])({box})")
        return x + width / 2, y + height / 2

    def click(self, element: str) -> None:
        """Click the middle of an element, by an expression about `desk`."""
        self.drag(self.middle(element))

    def drag(self, *points: tuple[float, float]) -> None:
        """Press the mouse at the first point and release it at the last one."""
        moves = [{"type": "pointerMove", "x": round(x), "y": round(y)} for x, y in points]
        down, up = ({"type": f"pointer{what}", "button": 0} for what in ("Down", "Up"))
        actions = [moves[0], down, *moves[1:], up]
        mouse = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}}
        self.call("input.performActions", context=self.page, actions=[mouse | {"actions": actions}])

    def close(self) -> None:
        self._context.__exit__(None, None, None)
        self.process.terminate()
        self.process.wait(30)
