"""Sizes of files in words, the same everywhere."""

_UNITS = ("kB", "MB", "GB", "TB")


def size_words(size: float) -> str:
    """A number of bytes in words, 1 kB for 1,000: '820 bytes', '1.4 MB', '120 MB', '3.2 GB'."""
    size = round(size)
    if size < 1000:
        return f"{size} byte{'s'[: size != 1]}"
    number = 0
    while size >= 999.95 and number < len(_UNITS):
        size /= 1000
        number += 1
    return f"{size:,.1f}".removesuffix(".0") + f" {_UNITS[number - 1]}"
