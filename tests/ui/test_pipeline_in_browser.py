"""The pipeline page in real Chromium, with runs at work beside it."""

import pytest
from playwright.sync_api import Page, expect
from waiting import settled, wait_until

from annotations.annotator import Setup, TextLine
from annotations.engine.engine_hold import progress
from annotations.planning.task_store import all_tasks
from annotations.run.run_plan import facts_of
from annotations.run.runs import all_runs, ensure_run
from annotations.video.video_texts import NewText, store_texts

pytestmark = pytest.mark.browser


def open_form(app: Page, url: str, annotator: str, title: str, model: str) -> None:
    """The form of a new run over all videos in a task of its own."""
    app.goto(f"{url}/pipeline?new=1")
    app.get_by_text(title, exact=True).click()
    expect(app.locator(f".st-key-pipeline-items-{annotator}")).to_be_visible()
    settled(app)
    items = app.get_by_role("combobox", name="Items")
    items.click()
    items.fill("All usable videos")  # the list is long
    app.get_by_role("option", name="All usable videos").click()
    expect(app.get_by_label("Name of the task")).to_be_visible()
    chosen = app.get_by_role("combobox", name="Model")
    chosen.click()
    chosen.fill(model)
    chosen.press("Enter")
    settled(app)


def write(app: Page, label: str, text: str) -> None:
    field = app.get_by_label(label, exact=True)
    field.fill(text)
    field.press("Enter")
    settled(app)


@pytest.mark.parametrize("demo", ['\n[[models]]\nmodel = "stub:slow"\n'], indirect=True)
def test_a_sample_is_seen_a_run_stopped_gone_on_with_and_the_rest_sent_to_people(demo, person):
    app: Page = person(demo, "Eva of the pipeline", "author")
    workspace = demo.workspace()
    title = "Screening by a vision-language model"
    open_form(app, demo.url, "vlm_screening", title, "stub:slow")
    app.get_by_text("Only the probability of yes", exact=True).click()
    expect(app.get_by_label("Accepted from", exact=True)).to_be_visible()
    app.get_by_text("Where and how it runs").click()
    write(app, "Items at once", "1")
    app.get_by_role("button", name="See 20 first").click()
    expect(app.locator(".gallery button")).to_have_count(20, timeout=120_000)
    expect(app.get_by_text("sample done")).to_be_visible()
    expect(app.get_by_text("A stub, no model").first).to_be_visible()
    [run] = [one for one in all_runs(workspace) if one.facts.get("model") == "stub:slow"]
    assert run.predictions == 20

    app.get_by_role("button", name="Go on with the rest").click()
    app.get_by_role("button", name="Stop").click()
    expect(app.get_by_text("stopped", exact=True).or_(app.get_by_text("finished", exact=True))
           ).to_be_visible(timeout=120_000)  # fmt: skip
    if app.get_by_text("stopped", exact=True).count():
        app.get_by_role("button", name="Go on with the rest").click()
        expect(app.get_by_text("finished", exact=True)).to_be_visible(timeout=120_000)
    videos = workspace.store.rows("SELECT count(*) AS n FROM video WHERE status = 'usable'")
    ended = next(one for one in all_runs(workspace) if one.id == run.id)
    assert ended.predictions == videos[0]["n"]
    assert progress(workspace, run.id).status == "finished"

    expect(app.locator(".threshold .flag")).to_be_visible()
    app.get_by_text("A random sample", exact=True).click()
    expect(app.locator(".st-key-sending-most-A-random-sample")).to_be_visible()
    expect(app.get_by_label("At most", exact=True)).to_have_count(1)
    write(app, "At most", "6")
    app.get_by_role("button", name="Send 6 to people").click()
    expect(app.get_by_text("6 videos are work for people")).to_be_visible()
    task = all_tasks(workspace)[-1]
    assert (task.items, task.status) == (6, "open")
    app.get_by_role("button", name="Look at the task").click()
    expect(app.get_by_role("heading", name="Tasks")).to_be_visible()


def test_the_run_outlives_the_page_that_started_it(standing_demo, person):
    app: Page = person(standing_demo, "Edda of the pipeline", "author")
    workspace = standing_demo.workspace()
    title = "Filter by title and description"
    open_form(app, standing_demo.url, "title_filter", title, "stub:demo")
    write(app, "What the videos are to be about", "a dog")
    app.get_by_role("button", name="Start on everything").click()
    expect(app.get_by_text("starting").or_(app.get_by_text("running")).first).to_be_visible()
    app.goto("about:blank")

    def finished() -> bool:
        runs = [one for one in all_runs(workspace) if "a dog" in one.model]
        return bool(runs) and progress(workspace, runs[0].id).status == "finished"

    wait_until(finished, "the run, without a page", 120)


def test_segments_become_a_task_that_is_closed_until_it_is_opened(standing_demo, person):
    app: Page = person(standing_demo, "Elsa of the pipeline", "author")
    workspace = standing_demo.workspace()
    rows = workspace.store.rows(
        "SELECT i.id, i.task_id, v.sha256 FROM item i JOIN video v ON v.id = i.video_id"
        " JOIN task t ON t.id = i.task_id WHERE t.kind = 'screening' AND i.role = 'work' LIMIT 3"
    )
    setup = Setup("segment_finder", "stub:text", "text", {"action": "a jump", "side_s": 1.0})
    run = ensure_run(
        workspace, "stub · jumps", rows[0]["task_id"], "segment_finder", facts_of(setup)
    )
    jump = (TextLine(0.5, 1.5, "a <b>jump</b>"),)
    store_texts(workspace, run, [
        NewText(row["id"], row["sha256"], "segments", "found", jump) for row in rows
    ])  # fmt: skip
    with workspace.store.write() as database:
        database.conn.execute(
            "UPDATE run SET status = 'finished', progress = ? WHERE id = ?",
            ['{"done": 3, "wanted": 3}', run],
        )
    app.goto(f"{standing_demo.url}/pipeline?run={run}")
    expect(app.get_by_text("3 segments")).to_be_visible()
    app.get_by_text("Localization", exact=True).click()
    write(app, "Domain of the action", "play")
    app.get_by_role("button", name="Make the task").click()
    expect(app.get_by_text("3 clips are in the task.")).to_be_visible()
    expect(app.get_by_role("button", name="Make the task")).to_have_count(0)
    made = next(one for one in all_tasks(workspace) if "a jump" in one.name)
    assert (made.kind, made.items, made.status) == ("localization", 3, "closed")
    app.get_by_role("button", name="Look at the task").click()
    expect(app.get_by_role("heading", name="Tasks")).to_be_visible()
