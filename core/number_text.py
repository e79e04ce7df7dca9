"""The one way in which shares are written for people: '12.5 %', and '−3.0' for differences."""


def percent_text(share: float | None, decimals: int = 1) -> str:
    """A share in [0, 1] with a space before the sign, such as '12.5 %'; '–' for None."""
    return "–" if share is None else f"{100 * share:.{decimals}f} %"


def points_text(difference: float, decimals: int = 1) -> str:
    """A difference of shares in percentage points, with its sign, such as '+1.5' or '−3.0'."""
    return f"{100 * difference:+.{decimals}f}".replace("-", "−")
