"""The pages that strangers see around their work."""

from html import escape
from urllib.parse import urlencode, urlsplit

from markdown_it import MarkdownIt

from annotations.recruiting.recruitment import PAID, Recruitment
from annotations.recruiting.sites import Arrival
from annotations.recruiting.submissions import Standing
from annotations.settings_file import Settings
from ui.routes.plain_page import Reader

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
        "There was no more work for you before you could do all that this job asks for. You are "
        "paid as if you had.",
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
    "nothing": ("No work left", "There is nothing left here that you could do."),
}
RETURN = "Please return the job on {site}: nothing is held against you there."


def welcome(
    reader: Reader, settings: Settings, recruitment: Recruitment, rules: str, here: str,
    preview: bool,
) -> str:  # fmt: skip
    """Return the page before work begins: what it is, what it pays, and what one agrees to."""
    consent = MarkdownIt("commonmark", {"html": False}).render(recruitment.consent)
    if preview:
        words = (
            "This is a preview. Accept the job on {site} to begin; until then nothing is kept of "
            "you."
        )
        action = f"<p class=note>{reader.say(words, site=recruitment.site.label)}</p>"
    else:
        agree = "I have read this and agree to take part." if consent else "I want to take part."
        cookies = (
            "This page keeps cookies, so that your work is yours alone: come back in this browser, "
            "or with the return link that you get."
        )
        action = (
            f'<form method="post" action="{escape(here)}"><label class=agree>'
            f"<input type=checkbox name=agree value=1 required> {reader.say(agree)}</label>"
            f"<button>{reader.say('Begin')}</button></form>"
            f"<p class=note>{reader.say(cookies)}</p>"
        )
    agreement = f"<h2>{reader.say('Before you agree')}</h2>{consent}" if consent else ""
    return reader.page(
        settings.name,
        f"<h1>{escape(settings.name)}</h1><p>{_offer(reader, settings, recruitment)}</p>"
        f"{agreement}<details{'' if consent else ' open'}>"
        f"<summary>{reader.say('What you will do')}</summary>{rules}</details>{action}",
    )


def _offer(reader: Reader, settings: Settings, recruitment: Recruitment) -> str:
    """What a job asks for and pays, as HTML."""
    job = "This job asks for {n} answers and pays {pay} on {site}."
    if recruitment.items == 1:
        job = "This job asks for {n} answer and pays {pay} on {site}."
    words = reader.say(
        job, n=f"{recruitment.items:,}", pay=f"{recruitment.reward:.2f} {settings.currency}",
        site=recruitment.site.label,
    )  # fmt: skip
    practice = "If there is practice, it comes first, with the right answers explained."
    return f"{words} {reader.say(practice)}"


def work(
    reader: Reader, settings: Settings, name: str, submissions: list[Standing], back: str
) -> str:
    """Return the page with which a worker sees how far they are, and what they take back."""
    newest, *earlier = submissions
    site = newest.recruitment.site.label
    parts = [_standing(reader, settings, newest)]
    if earlier:
        lines = "".join(f"<li>{_earlier(reader, old)}</li>" for old in earlier)
        parts.append(f"<h2>{reader.say('Earlier')}</h2><ul>{lines}</ul>")
    if newest.outcome in ("", *PAID):
        parts.append(_elsewhere(reader, back))
    known = "The requester knows you here as {name}."
    use = "Your ID on {site} is used for paying you, and for nothing else."
    parts.append(f"<p class=note>{reader.say(known, name=name)} {reader.say(use, site=site)}</p>")
    return reader.page(settings.name, "".join(parts))


def _elsewhere(reader: Reader, back: str) -> str:
    """The link with which somebody goes on, or comes for their code, in another browser."""
    words = "Open this link there. Keep it to yourself: whoever has it works as you."
    return (
        f"<h2>{reader.say('To go on in another browser')}</h2><p>{reader.say(words)}</p>"
        f"<p class=link><code>{escape(back)}</code></p>"
    )


def _earlier(reader: Reader, old: Standing) -> str:
    code = f", {reader.say('code')} {_code(old)}" if old.code else ""
    return f"<code>{escape(old.session)}</code>: {_answers(reader, old)}{code}"


def _answers(reader: Reader, now: Standing) -> str:
    return reader.say("{n} of {total} answers", n=now.answers, total=now.recruitment.items)


def _standing(reader: Reader, settings: Settings, now: Standing) -> str:
    site = now.recruitment.site
    figures = [_answers(reader, now), f"{now.active_s / 60:.0f} min"]
    if settings.show_pay:
        figures.append(_earned(reader, settings, now))
    line = f"<p class=figures>{' · '.join(figures)}</p>"
    if not now.outcome:
        return _running(reader, now, line)
    heading, words = ENDED[now.outcome]
    html = f"<h1>{reader.say(heading)}</h1>{line}<p>{reader.say(words)}</p>"
    if now.code and site.own_codes:
        address = f"{settings.prolific_complete}?{urlencode({'cc': now.code})}"
        finish = reader.say("Finish on {site}", site=site.label)
        return (
            f'{html}<p><a class=button href="{escape(address)}">{finish}</a></p>'
            f"<p>{reader.say('If that page asks for a code:')} {_code(now)}</p>"
        )
    if now.code:
        yours = reader.say("Your completion code, for {site}:", site=site.label)
        return f"{html}<p>{yours}</p><p class=code>{_code(now)}</p>"
    return f"{html}<p>{reader.say(RETURN, site=site.label)}</p>"


def _running(reader: Reader, now: Standing, line: str) -> str:
    begun = now.active_s > 0
    heading = reader.say("Not all is done yet" if begun else "Welcome")
    if now.reason not in WAITING:
        code = "Your code stands here once the work is done. Practice comes first if there is any."
        label = reader.say("Go on" if begun else "Begin")
        action = f'<a class=button href="/annotate?task={now.task.id}">{label}</a>'
        return f"<h1>{heading}</h1>{line}<p>{reader.say(code)}</p><p>{action}</p>"
    words = reader.say(WAITING[now.reason])
    if now.reason == "limit":
        words = f"{words} {reader.say(RETURN, site=now.recruitment.site.label)}"
    again = f'<a href="/recruit/work">{reader.say("Look again")}</a>'
    return f"<h1>{heading}</h1>{line}<p>{words}</p><p>{again}</p>"


def _earned(reader: Reader, settings: Settings, now: Standing) -> str:
    """What is due: the reward, and what the time at work is worth beyond it."""
    currency, reward = settings.currency, now.recruitment.reward
    if now.outcome and now.outcome not in PAID:
        return escape(f"0.00 {currency}")
    pay = f"{reward:.2f} {currency}"
    if now.owed > reward:
        bonus = f"{now.owed - reward:.2f} {currency}"
        words = "{pay} and a bonus of {bonus} for the time that it took"
        return reader.say(words, pay=pay, bonus=bonus)
    return escape(pay) if now.outcome else reader.say("{pay} when it is done", pay=pay)


def _code(standing: Standing) -> str:
    return f"<code>{escape(standing.code)}</code>"


def frame(
    reader: Reader,
    settings: Settings,
    recruitment: Recruitment,
    rules: str,
    arrival: Arrival | None,
    link: str,
    target: str,
) -> str:
    """Return what stands in the frame of a site: cookies are not sent there, so the work is not."""
    offer = _offer(reader, settings, recruitment)
    if arrival is None:
        words = reader.say("This is a preview: accept the job to get the link.")
        return reader.page(settings.name, f"<p>{offer}</p><p class=note>{words}</p>{rules}")
    label = reader.say("The code that you get at the end")
    below = reader.say("Hand in the code that you get at the end in the field below this page.")
    form = (
        f'<form method="post" action="{escape(target)}"><input type=hidden name=assignmentId '
        f'value="{escape(arrival.session)}"><label>{label} '
        "<input name=surveycode required autocomplete=off></label>"
        f"<button>{reader.say('Submit')}</button></form>"
        if target
        else f"<p>{below}</p>"
    )
    button = reader.say("Open the work in a page of its own")
    return reader.page(
        settings.name,
        f'<p>{offer}</p><p><a class=button target="_blank" rel="noopener" href="{escape(link)}">'
        f"{button}</a></p>{form}",
    )


def submit_address(asked: str, sites: tuple[str, ...]) -> str:
    """Return where a frame hands in its code; '' for a site that is not among those allowed."""
    parts = urlsplit(asked)
    origin = f"{parts.scheme}://{parts.netloc}"
    return f"{origin}/mturk/externalSubmit" if origin in sites else ""
