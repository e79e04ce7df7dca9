"""The pages that strangers see around their work; each needs nothing but itself."""

from html import escape
from urllib.parse import urlencode, urlsplit

from markdown_it import MarkdownIt

from annotations.recruiting.recruitment import PAID, Recruitment
from annotations.recruiting.sites import Arrival
from annotations.recruiting.submissions import Standing
from annotations.workspace import Settings
from ui.languages import ENGLISH

WAITING = {
    "today": "You have done as much as one person may do in a day. Come back tomorrow (UTC): your "
    "place is kept.",
    "limit": "You have done as much of this work as one person may.",
    "paused": "The requester has paused this work. Come back later: your place is kept.",
    "others": "Others are working on what is left. Look again in some minutes.",
}
ENDED = {
    "finished": ("Done. Thank you!", "You have done what this job asks for."),
    "ran_out": (
        "Done. Thank you!",
        "The work ran out before you could do all that this job asks for. You are paid as if you "
        "had.",
    ),
    "aside": (
        "Your work here has ended",
        "The requester has ended your part. What you did is kept, and they look at it before they "
        "pay.",
    ),
    "failed": (
        "Practice not passed",
        "Fewer practice answers were right than this work needs, so no work is handed out. It says "
        "nothing else about you.",
    ),
    "nothing": ("No work left", "Others have done all that there was."),
}
RETURN = "Please return the job on {site}: nothing is held against you there."


def welcome(
    settings: Settings, recruitment: Recruitment, rules: str, here: str, preview: bool
) -> str:
    """Return the page before work begins: what it is, what it pays, and what one agrees to."""
    consent = MarkdownIt("commonmark", {"html": False}).render(recruitment.consent)
    if preview:
        action = (
            f"<p class=note>This is a preview. Accept the job on {recruitment.site.label} to "
            "begin; until then nothing is kept of you.</p>"
        )
    else:
        action = (
            f'<form method="post" action="{escape(here)}"><label class=agree>'
            "<input type=checkbox name=agree value=1 required> "
            f"{'I have read this and agree to take part.' if consent else 'I want to take part.'}"
            "</label><button>Begin</button></form>"
            "<p class=note>This page keeps two cookies, so that your work is yours alone: come "
            "back in this browser, or with the return link that you get.</p>"
        )
    agreement = f"<h2>Before you agree</h2>{consent}" if consent else ""
    return _page(
        settings.name,
        f"<h1>{escape(settings.name)}</h1><p>{_offer(settings, recruitment)}</p>{agreement}"
        f"<details{'' if consent else ' open'}><summary>What you will do</summary>{rules}"
        f"</details>{action}",
    )


def _offer(settings: Settings, recruitment: Recruitment) -> str:
    count = recruitment.items
    items = "1 answer" if count == 1 else f"{count:,} answers"
    pay = f"{recruitment.reward:.2f} {escape(settings.currency)}"
    return (
        f"This job asks for {items} and pays {pay} on {recruitment.site.label}. If there is "
        "practice, it comes first, with the right answers explained."
    )


def work(settings: Settings, name: str, found: list[Standing], back: str) -> str:
    """Return the page with which a worker sees how far they are, and what they take back."""
    newest, *earlier = found
    parts = [_standing(settings, newest)]
    if earlier:
        rows = "".join(
            f"<li><code>{escape(old.session)}</code>: {old.answers} of {old.recruitment.items} "
            f"answers{', code ' + _code(old) if old.code else ''}</li>"
            for old in earlier
        )
        parts.append(f"<h2>Earlier</h2><ul>{rows}</ul>")
    parts.append(
        "<h2>To go on in another browser</h2><p>Open this link there. Keep it to yourself: whoever "
        f"has it works as you.</p><p class=link><code>{escape(back)}</code></p>"
        f"<p class=note>The requester knows you here as {escape(name)}. Your ID on "
        f"{newest.recruitment.site.label} is used for paying you, and for nothing else.</p>"
    )
    return _page(settings.name, "".join(parts))


def _standing(settings: Settings, now: Standing) -> str:
    site = now.recruitment.site
    figures = [f"{now.answers} of {now.recruitment.items} answers", f"{now.active_s / 60:.0f} min"]
    if settings.show_pay:
        figures.append(_earned(settings, now))
    line = f"<p class=figures>{' · '.join(figures)}</p>"
    if not now.outcome:
        return _running(now, line)
    heading, words = ENDED[now.outcome]
    html = f"<h1>{heading}</h1>{line}<p>{words}</p>"
    if now.code and site.own_codes:
        address = f"{settings.prolific_complete}?{urlencode({'cc': now.code})}"
        return (
            f'{html}<p><a class=button href="{escape(address)}">Finish on {site.label}</a></p>'
            f"<p>If that page asks for a code: {_code(now)}</p>"
        )
    if now.code:
        return f"{html}<p>Your completion code, for {site.label}:</p><p class=code>{_code(now)}</p>"
    return f"{html}<p>{RETURN.format(site=site.label)}</p>"


def _running(now: Standing, line: str) -> str:
    wait = WAITING.get(now.reason, "")
    if now.reason == "limit":
        wait = f"{wait} {RETURN.format(site=now.recruitment.site.label)}"
    desk = f"/annotate?task={now.task.id}"
    label = "Go on" if now.active_s else "Begin"
    action = f'<p><a class=button href="{desk}">{label}</a></p>'
    again = '<p><a href="/recruit/work">Look again</a></p>' if wait else ""
    heading = "Not all is done yet" if now.active_s else "Welcome"
    words = f"<p>{wait}</p>" if wait else (
        "<p>Your code stands here once the work is done. Practice comes first if there is any.</p>"
    )  # fmt: skip
    return f"<h1>{heading}</h1>{line}{words}{again or action}"


def _earned(settings: Settings, now: Standing) -> str:
    """What is due: the reward, and what the time at work is worth beyond it."""
    currency = escape(settings.currency)
    reward = now.recruitment.reward
    if now.outcome and now.outcome not in PAID:
        return f"0.00 {currency}"
    if now.owed > reward:
        return (
            f"{reward:.2f} {currency} and a bonus of {now.owed - reward:.2f} {currency} for the "
            "time that it took"
        )
    return f"{reward:.2f} {currency}" + ("" if now.outcome else " when it is done")


def _code(standing: Standing) -> str:
    return f"<code>{escape(standing.code)}</code>"


def frame(
    settings: Settings,
    recruitment: Recruitment,
    rules: str,
    arrival: Arrival | None,
    link: str,
    target: str,
) -> str:
    """Return what stands in the frame of a site: cookies are not sent there, so the work is not."""
    offer = _offer(settings, recruitment)
    if arrival is None:
        words = "<p class=note>This is a preview: accept the job to get the link.</p>"
        return _page(settings.name, f"<p>{offer}</p>{words}{rules}")
    form = (
        f'<form method="post" action="{escape(target)}"><input type=hidden name=assignmentId '
        f'value="{escape(arrival.session)}"><label>The code that you get at the end '
        "<input name=surveycode required autocomplete=off></label><button>Submit</button></form>"
        if target
        else "<p>Hand in the code that you get at the end in the field below this page.</p>"
    )
    return _page(
        settings.name,
        f'<p>{offer}</p><p><a class=button target="_blank" rel="noopener" href="{escape(link)}">'
        f"Open the work in a page of its own</a></p>{form}",
    )


def submit_address(asked: str, sites: tuple[str, ...]) -> str:
    """Return where a frame hands in its code; '' for a site that is not among those allowed."""
    parts = urlsplit(asked)
    origin = f"{parts.scheme}://{parts.netloc}"
    return f"{origin}/mturk/externalSubmit" if origin in sites else ""


def message(heading: str, words: str, language: str = ENGLISH) -> str:
    """Return a page that says one thing."""
    return _page("Rushes", f"<h1>{escape(heading)}</h1><p>{escape(words)}</p>", language)


def _page(title: str, content: str, language: str = ENGLISH) -> str:
    page = PAGE.replace("{language}", language).replace("{title}", escape(title))
    return page.replace("{content}", content)


PAGE = """<!doctype html>
<html lang="{language}"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
:root { color-scheme: light dark; font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 40rem; margin: 7vh auto; padding: 0 1.25rem; }
h1 { font-size: 1.6rem; margin: 0 0 .6rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .4rem; }
details { margin: 1.5rem 0; } summary { cursor: pointer; font-weight: 600; }
.note, .figures { opacity: .75; } .figures { font-size: 1.05rem; }
form { margin: 1.5rem 0; } .agree { display: block; margin-bottom: 1rem; }
button, .button { display: inline-block; font: inherit; font-weight: 600; padding: .6rem 1.3rem;
  border: 0; border-radius: .5rem; background: #1f5fbf; color: #fff; text-decoration: none;
  cursor: pointer; }
button:focus-visible, a:focus-visible { outline: 3px solid #f2a33c; outline-offset: 2px; }
.code code { font-size: 1.5rem; letter-spacing: .08em; padding: .4rem .8rem; border-radius: .4rem;
  border: 1px solid color-mix(in srgb, currentColor 30%, transparent); user-select: all; }
.link code { overflow-wrap: anywhere; user-select: all; } img { max-width: 100%; }
</style></head><body><main>{content}</main></body></html>
"""
