"""The exceptions that carry words for a person; whatever else is raised is a bug."""


class Refusal(ValueError):  # noqa: N818 - it reads as what happened
    """What was asked for is not done, and the text says why and what is allowed instead.

    A request answers it with a status of 4xx, a page or a command shows the text. Any other
    exception is a bug: it is logged with its traceback, and nobody is told that the mistake is
    theirs.

    Attributes:
        words: the text with {name} where a value of that name goes, so that whoever shows it can
            say it in another language.
        values: these values.
    """

    def __init__(self, words: str = "", **values: object):
        """Keep the text, and make the message of it."""
        message = words
        for name, value in values.items():
            message = message.replace(f"{{{name}}}", str(value))
        super().__init__(message)
        self.words = words
        self.values = values


class Missing(Refusal, LookupError):  # noqa: N818
    """There is nothing of the name or number that was asked for (status 404)."""


class Forbidden(Refusal, PermissionError):  # noqa: N818
    """The person may not do this (status 403)."""
