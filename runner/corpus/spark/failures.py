"""Errors of Spark, reported as one message about the store that was asked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError

_DIED = "its driver process ended while it worked"
_NAME = re.compile(r"^:?\s*(?:[\w.$]*(?:Error|Exception)(?: in thread \"[^\"]*\")?: )+")


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Raise FICT746 with the line that says why in the place of an error of Spark.

    Other errors pass. PySpark can fail while it converts an error of Java, or while it reads from a process that has
    died, so the errors that led to one count as well.
    """
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except InputError:
        raise
    except Exception as error:
        chain = list(_led_to(error))
        ours = [each for each in chain if isinstance(each, PySparkException | Py4JError | ConnectionError | EOFError)]
        if not ours:
            raise
        raise InputError(diagnostic("FICT746", path=path, reason=f"Spark: {_why(ours)}")) from error


def _led_to(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _why(errors: list[BaseException]) -> str:
    """The reason of the first error that has one; PySpark asks Java for the text, and Java may be gone."""
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    for error in errors:
        if isinstance(error, Py4JJavaError | PySparkException):
            try:
                return reason(str(error))
            except Exception:  # noqa: BLE001 - whatever it is, there is no text
                continue
    return _DIED


def reason(text: str) -> str:
    """The line of an error's text that says why, without the names of exceptions.

    It is the last error of a Python traceback in the text, else the last message with a code of Spark (`[CODE] …`),
    else the last cause of an exception of Java, else the first line.
    """
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    lines = [line for line in lines if not line.startswith("An error occurred while calling ")]
    raised = [line for line in lines if re.match(r"[\w.]*(Error|Exception): ", line)]
    if raised and "Traceback" in text:
        return _NAME.sub("", raised[-1])
    causes = [line.removeprefix("Caused by: ") for line in lines if re.match(r"Caused by: .*: ", line)]
    reasons = [_NAME.sub("", line) for line in (*lines[:1], *causes)]
    coded = [line for line in reasons if line.startswith("[")]
    return (coded or reasons or ["no reason was given"])[-1]
