"""A new run: how a model annotates, which items, which model, and with which settings."""

from typing import Any

import streamlit as st

from annotations import task as tasks
from annotations.annotator import Annotator, annotator, annotators, number_words
from annotations.planning.task_names import free_name, tasks_of
from annotations.planning.task_plan import plan_task
from annotations.planning.task_store import make_task, set_status
from annotations.prompts import prompt
from annotations.record.task import task_in, unstored_task
from annotations.run.annotator_settings import Setting, settings_of
from annotations.run.run_plan import fitting_kind, plan_run
from annotations.run.runs import condition_task
from annotations.workspace import Workspace
from core.model import ModelError
from core.refusal import Refusal
from ui.components.pipeline.model_choices import (
    DEVICES,
    check_offered,
    is_at_hand,
    is_of_hub,
    key_variable,
    lacking,
    offered_models,
)
from ui.components.pipeline.run_method import (
    BATCH,
    COMPILE,
    COMPILES,
    DEVICE,
    NUMBERS,
    OFFLINE,
    REVISION,
    TIMEOUT,
)
from ui.components.pipeline.setting_inputs import setting_inputs
from ui.components.task.settings_fields import FieldValues, read_settings
from ui.components.words import plain

ALL_VIDEOS, CONDITION = "all usable videos", "another condition"
CONDITIONS = (
    "8 frames", "16 frames", "1 frame", "4 frames", "32 frames", "full video", "1 random frame",
    "1 handpicked frame", "16 shuffled frames", "text only",
)  # fmt: skip
DTYPES = "auto", "bfloat16", "float16", "float32"


def new_run(workspace: Workspace) -> tuple[int, bool] | None:
    """Id of the planned run and whether all items are wanted; None until a button is pressed."""
    narrow, wide = st.columns([4, 7], gap="large")
    with narrow:
        name = _annotator()
    module = annotator(name)
    with wide:
        task_id = _items(workspace, name, module)
        model = _model(workspace, name, module)
        settings = _settings(workspace, name, module, task_id)
        options = _options(workspace, model)
        absent = lacking(model)
        if absent:
            st.info(
                plain(
                    f"This model needs {absent[0]}, which is not installed. Models behind a server "
                    "and the stub work without it. To install it, in the folder of Rushes:"
                ),
                icon=":material/download:",
            )
            st.code(absent[1], language="bash")
        with st.container(horizontal=True):
            sample = st.button("See 20 first", type="primary", icon=":material/preview:",
                               disabled=bool(absent) or not model)  # fmt: skip
            whole = st.button("Start on everything", icon=":material/play_arrow:",
                              disabled=bool(absent) or not model)  # fmt: skip
        if not (sample or whole):
            return None
        try:
            values = read_settings(settings, module.SETTINGS)
            number = task_id
            if not isinstance(number, int):
                number = _task_made(workspace, module, number, model, values)
            check_offered(workspace, module, model, options)
            planned = plan_run(
                workspace, name, model, task_id=number, settings=values, options=options
            )
        except (Refusal, ModelError) as error:
            st.error(plain(str(error)))
            return None
    return planned, bool(whole)


def _annotator() -> str:
    names = annotators()
    modules = {name: annotator(name) for name in names}
    usual = "vlm_screening" if "vlm_screening" in names else names[0]
    return st.radio(
        "How it annotates", names, index=names.index(usual),
        format_func=lambda name: modules[name].TITLE,
        captions=[_first_line(modules[name]) for name in names],
        key="pipeline annotator", persist_state="session",
    )  # fmt: skip


def _first_line(module: Annotator) -> str:
    return (module.__doc__ or "").strip().split("\n")[0]


def _items(workspace: Workspace, name: str, module: Annotator) -> int | tuple[str, str]:
    """Id of the chosen task, or (`ALL_VIDEOS`, name) or (`CONDITION`, its words)."""
    tasks_there = tasks_of(workspace, module.TASK_KINDS)
    by_id = {task.id: (task, count) for task, count in tasks_there if not module.refuses(task)}
    choices: list[int | str] = list(by_id)
    if _video_kind(module):
        choices.append(ALL_VIDEOS)
    if _condition_kind(module):
        choices.append(CONDITION)
    if not choices:
        kinds = ", ".join(tasks.kind(kind).LABEL.lower() for kind in module.TASK_KINDS)
        st.info(f"There is no task that it can answer. Make one on the page Tasks: {kinds}.")
        return (ALL_VIDEOS, "")
    labels = {
        ALL_VIDEOS: "All usable videos, in a new task that is closed for people",
        CONDITION: "The questions, under another condition",
    }
    chosen = st.selectbox(
        "Items", choices, key=f"pipeline items {name}", persist_state="session",
        format_func=lambda choice: labels.get(str(choice))
        or f"{by_id[int(choice)][0].name} ({number_words(by_id[int(choice)][1], 'item')})",
    )  # fmt: skip
    if chosen == ALL_VIDEOS:
        return (ALL_VIDEOS, st.text_input("Name of the task", free_name(workspace, "Footage"),
                                          key="pipeline task name"))  # fmt: skip
    if chosen == CONDITION:
        return (CONDITION, _condition(workspace, name, module))
    return int(chosen)


def _condition(workspace: Workspace, name: str, module: Annotator) -> str:
    """Chosen condition; another number of frames can be typed."""
    kind = module.TASK_KINDS[0]
    usual = dict.fromkeys((*CONDITIONS, *workspace.settings.conditions))
    offered = [
        condition
        for condition in usual
        if not module.refuses(unstored_task(kind, {"condition": condition}))
    ]
    chosen = st.selectbox(
        "Condition", offered, accept_new_options=True, key=f"pipeline condition {name}",
        help="What is shown of the video. Another number of frames can be typed.",
    )  # fmt: skip
    return (chosen or "").strip()


def _video_kind(module: Annotator) -> str | None:
    """Kind of the task that can be made of all videos, or None."""
    return next((kind for kind in module.TASK_KINDS if "videos" in tasks.kind(kind).SOURCES), None)


def _condition_kind(module: Annotator) -> bool:
    def has_condition(kind: str) -> bool:
        try:
            return "condition" in tasks.kind(kind).check_settings({})
        except Refusal:
            return False

    return any(has_condition(kind) for kind in module.TASK_KINDS)


def _task_made(
    workspace: Workspace,
    module: Annotator,
    wanted: tuple[str, str],
    model: str,
    settings: dict[str, Any],
) -> int:
    """Id of a new task, closed for people; a refused run makes none."""
    what, text = wanted
    kind = fitting_kind(module, model)
    if what == CONDITION:
        return condition_task(workspace, text)
    plan = plan_task(workspace, name=text, kind=_video_kind(module) or "", source="videos")
    module.check_settings(settings, unstored_task(plan.kind, plan.settings), kind)
    task_id = make_task(workspace, plan)
    set_status(workspace, plan.name, "closed")
    return task_id


def _model(workspace: Workspace, name: str, module: Annotator) -> str:
    names = offered_models(workspace, module.MODEL_KINDS)
    chosen = st.selectbox(
        "Model", names, index=0 if is_at_hand(names[0]) else None, placeholder="Choose a model",
        key=f"pipeline model {name}", persist_state="session",
        help="More models, servers and folders: whoever runs the server lists them in rushes.toml "
        "under [[models]], or starts the run by `rushes run`.",
    )  # fmt: skip
    model = chosen or ""
    if is_of_hub(model):
        st.caption("It is downloaded from the model hub at the start, unless it was before.")
    return model


def _settings(
    workspace: Workspace, name: str, module: Annotator, items: int | tuple[str, str]
) -> FieldValues:
    """Values of the settings, and the names of the chosen templates."""
    settings = settings_of(module, _task_settings(workspace, module, items), workspace.root)
    values = setting_inputs(
        f"pipeline {name}", [setting for setting in settings if not setting.is_prompt]
    )
    prompts = [setting for setting in settings if setting.is_prompt and setting.counts(values)]
    if prompts:
        with st.expander("Prompts" if len(prompts) > 1 else "Prompt", icon=":material/notes:"):
            values |= {
                setting.name: _template(workspace, name, module, setting) for setting in prompts
            }
    return values


def _task_settings(
    workspace: Workspace, module: Annotator, items: int | tuple[str, str]
) -> dict[str, Any]:
    """Settings of the chosen task, or of the task that would be made."""
    if isinstance(items, int):
        with workspace.store.single() as database:
            return task_in(database, items).settings
    kind = _video_kind(module)
    return tasks.kind(kind).check_settings({}) if kind and items[0] == ALL_VIDEOS else {}


def _template(workspace: Workspace, name: str, module: Annotator, setting: Setting) -> str:
    """Name of the chosen template; its text is shown below the choice."""
    templates = list(setting.choices)
    chosen = st.selectbox(
        setting.label, templates,
        index=templates.index(setting.default) if setting.default in templates else 0,
        key=f"pipeline {name} {setting.name}", persist_state="session",
        help="One that ships, or one of the workspace's folder prompts.",
    )  # fmt: skip
    try:
        text = prompt(chosen, module.FIELDS, workspace.root).text
        st.code(text, language=None, wrap_lines=True)
    except Refusal as error:
        st.warning(plain(str(error)))
    return chosen


def _options(workspace: Workspace, model: str) -> dict[str, Any]:
    with st.expander("Where and how it runs", icon=":material/memory:"):
        device_at, dtype_at, batch_at = st.columns(3)
        device = device_at.selectbox(
            DEVICE, DEVICES, key="pipeline device", persist_state="session"
        )
        dtype = dtype_at.selectbox(NUMBERS, DTYPES, key="pipeline dtype",
                                   persist_state="session")  # fmt: skip
        batch = batch_at.number_input(BATCH, 1, 4096, None, placeholder="the model's own",
                                      key="pipeline batch", persist_state="session")  # fmt: skip
        time_at, revision_at = st.columns(2)
        timeout = time_at.number_input(TIMEOUT, 1.0, 3600.0, 120.0,
                                       key="pipeline timeout", persist_state="session")  # fmt: skip
        revision = revision_at.text_input(
            REVISION, placeholder="the newest", key="pipeline revision", persist_state="session"
        )
        with st.container(horizontal=True):
            compiled = st.selectbox(COMPILE, list(COMPILES), key="pipeline compile",
                                    persist_state="session",
                                    help="CLIP only: slow to start, then faster.")  # fmt: skip
            offline = st.toggle(OFFLINE, key="pipeline offline", persist_state="session")
    return {
        "device": device,
        "dtype": dtype,
        "batch": None if batch is None else int(batch),
        "api_key_env": key_variable(workspace, model),
        "timeout_s": timeout,
        "revision": revision.strip() or None,
        "compile": COMPILES[compiled],
        "offline": offline or None,
    }
