"""Conditions as pictures: what people see of a video, drawn small."""

from urllib.parse import quote

from annotations.condition import Condition

WIDTH, HEIGHT = 160, 90
INK = "#8a8782"  # told apart from both themes' grounds
MARK = "#d9622b"
# Offered as pictures; any other condition is written in words.
OFFERED = {
    "full video": "The video, as often as they like",
    "16 frames": "A grid of frames, in order",
    "16 shuffled frames": "The same frames, mixed",
    "8 frames": "Fewer frames",
    "1 random frame": "One frame, drawn by chance",
    "1 handpicked frame": "The frame that people picked",
    "text only": "The question alone",
}


def condition_picture(name: str) -> str:
    """Return the picture of a condition as a data address of an SVG."""
    condition = Condition.parse(name)
    if condition.is_text:
        drawn = _text()
    elif condition.is_video:
        drawn = _video()
    elif condition.count == 1:
        drawn = _single(handpicked=condition.is_handpicked)
    else:
        drawn = _grid(condition.count or 16, shuffled=condition.hides_times)
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" fill="none" '
        f'stroke="{INK}" stroke-width="2">{drawn}</svg>'
    )
    return f"data:image/svg+xml,{quote(svg)}"


def _video() -> str:
    return (
        '<rect x="44" y="18" width="72" height="54" rx="4"/>'
        f'<path d="M72 33 L94 45 L72 57 Z" fill="{MARK}" stroke="none"/>'
    )


def _text() -> str:
    lines = ((28, 104), (42, 84), (56, 96), (70, 60))
    return "".join(f'<path d="M32 {y} H{32 + width}" stroke-width="4"/>' for y, width in lines)


def _grid(count: int, *, shuffled: bool) -> str:
    """Frames in which something moves from left to right, or jumps about where they are mixed."""
    columns = 4
    rows = -(-min(count, 16) // columns)
    shown = min(count, 16)
    places = [(7 * number) % shown if shuffled else number for number in range(shown)]
    left, top = (WIDTH - columns * 30) / 2, (HEIGHT - rows * 20) / 2
    parts: list[str] = []
    for number, moment in enumerate(places):
        x = left + number % columns * 30
        y = top + number // columns * 20
        ball = x + 4 + 20 * moment / max(1, shown - 1)
        parts.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="28" height="18" stroke-width="1"/>'
            f'<circle cx="{ball:.1f}" cy="{y + 9:.1f}" r="3" fill="{MARK}" stroke="none"/>'
        )
    return "".join(parts)


def _single(*, handpicked: bool) -> str:
    sign = (
        '<path d="M124 30 l4 9 10 1 -7.5 6.5 2 10 -8.5 -5 -8.5 5 2 -10 -7.5 -6.5 10 -1 Z" '
        f'fill="{MARK}" stroke="none"/>'
        if handpicked
        else f'<text x="118" y="58" font-size="34" font-family="sans-serif" fill="{MARK}" '
        'stroke="none">?</text>'
    )
    return (
        '<rect x="28" y="18" width="72" height="54" rx="4"/>'
        f'<circle cx="58" cy="45" r="8" fill="{MARK}" stroke="none"/>{sign}'
    )
