"""Parse the responses of OpenAI-compatible endpoints."""

from __future__ import annotations

from runner.readers import parse_json

CUT_OFF = "the answer was cut off"


def completion_text(response: str) -> tuple[str | None, str]:
    """Return the text of a chat completion, or None and the reason why it is unusable."""
    try:
        choice = parse_json(response)["choices"][0]
        text, finish_reason = choice["message"]["content"], choice.get("finish_reason")
    except (ValueError, LookupError, TypeError, AttributeError):
        return None, "the answer is not a chat completion"
    if finish_reason in ("length", "content_filter"):  # not a set, since the reason may be unhashable
        return None, f"{CUT_OFF} ({finish_reason})"
    if not isinstance(text, str) or not text.strip():
        return None, "the answer has no text"
    if not _encodable(text):
        return None, "the answer has an unpaired surrogate"
    return text, ""


def _encodable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def error_message(response: str) -> str:
    """Return the message of an error response, or the beginning of a response without one."""
    try:
        return str(parse_json(response)["error"]["message"])
    except (ValueError, LookupError, TypeError):
        return " ".join(response.split())[:200] or "empty response"
