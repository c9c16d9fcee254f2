"""Convert errors of Spark to a diagnostic about the store."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError

_DRIVER_ENDED = "its driver process ended while it worked"
_EXCEPTION_NAMES = re.compile(r"^:?\s*(?:[\w.$]*(?:Error|Exception)(?: in thread \"[^\"]*\")?: )+")


@contextmanager
def explain_spark_errors(path: Path) -> Iterator[None]:
    """Raise InputError (FICT746) with the most specific line of an error of Spark.

    Other errors are not changed. PySpark can fail while it converts an error of Java, or while it reads from a process
    that has ended. Therefore, the causes of an error are also searched for errors of Spark.
    """
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except InputError:
        raise
    except Exception as error:
        chain = list(_causes(error))
        spark_errors = [
            cause for cause in chain if isinstance(cause, PySparkException | Py4JError | ConnectionError | EOFError)
        ]
        if not spark_errors:
            raise
        raise InputError(diagnostic("FICT746", path=path, reason=f"Spark: {_first_reason(spark_errors)}")) from error


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _first_reason(errors: list[BaseException]) -> str:
    """Return the reason in the first error with a text. PySpark reads the text from Java, which may have ended."""
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    for error in errors:
        if isinstance(error, Py4JJavaError | PySparkException):
            try:
                return reason(str(error))
            except Exception:  # noqa: BLE001 - any error here means that there is no text
                continue
    return _DRIVER_ENDED


def reason(text: str) -> str:
    """Return the line with the reason from the text of an error, without the names of exceptions.

    The line is the first of these that exists: the last error of a Python traceback, the last message with an error
    class of Spark (`[CODE] …`), the last cause of a Java exception, the first line.
    """
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    lines = [line for line in lines if not line.startswith("An error occurred while calling ")]
    python_errors = [line for line in lines if re.match(r"[\w.]*(Error|Exception): ", line)]
    if python_errors and "Traceback" in text:
        return _EXCEPTION_NAMES.sub("", python_errors[-1])
    causes = [line.removeprefix("Caused by: ") for line in lines if re.match(r"Caused by: .*: ", line)]
    reasons = [_EXCEPTION_NAMES.sub("", line) for line in (*lines[:1], *causes)]
    classified = [line for line in reasons if line.startswith("[")]
    return (classified or reasons or ["no reason was given"])[-1]
