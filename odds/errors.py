"""The one error that bad input raises."""

from __future__ import annotations


def _short(text: str) -> str:
    return text if len(text) <= 200 else f"{text[:200]}…"


class InputError(ValueError):
    """Bad input: says which field, what was given and what is allowed.

    Attributes:
        field: The name of the field or argument, as the user wrote or would write it.
        value: What was given.
        allowed: What would have been accepted, in words.

    Example:
        >>> raise InputError("decks", 0, "a whole number from 1 to 12")
        Traceback (most recent call last):
        ...
        odds.errors.InputError: decks = 0: allowed is a whole number from 1 to 12
    """

    def __init__(self, field: str, value: object, allowed: str) -> None:
        self.field = field
        self.value = value
        self.allowed = allowed
        super().__init__(f"{_short(field)} = {_short(repr(value))}: allowed is {allowed}")

    def __reduce__(self) -> tuple[type[InputError], tuple[str, object, str]]:
        # An exception pickles through its message alone; a process pool needs the three fields.
        return type(self), (self.field, self.value, self.allowed)
