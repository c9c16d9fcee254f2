"""The body of an answer into the text that a model wrote, or into what is wrong with it."""

from __future__ import annotations

from runner.readers import parse_json

CUT_OFF = "the answer was cut off"


def text_of(answer: str) -> tuple[str | None, str]:
    """The text of a chat completion, or None and what is wrong with it."""
    try:
        choice = parse_json(answer)["choices"][0]
        text, end = choice["message"]["content"], choice.get("finish_reason")
    except (ValueError, LookupError, TypeError, AttributeError):
        return None, "the answer is no chat completion"
    if end in {"length", "content_filter"}:
        return None, f"{CUT_OFF} ({end})"
    if not isinstance(text, str) or not text.strip():
        return None, "the answer has no text"
    if not _encodable(text):
        return None, "the answer has half of a character, a surrogate by itself"
    return text, ""


def _encodable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def complaint(answer: str) -> str:
    """What an error says, if it says it as endpoints do; else its beginning."""
    try:
        return str(parse_json(answer)["error"]["message"])
    except (ValueError, LookupError, TypeError):
        return " ".join(answer.split())[:200] or "nothing was said"
