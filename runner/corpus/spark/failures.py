"""What goes wrong inside Spark to one message about the store that was asked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Turn an error of Spark into FICT746 with the line of it that says why."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JError) as error:
        raise InputError(diagnostic("FICT746", path=path, reason=f"Spark: {reason(str(error))}")) from error


def reason(text: str) -> str:
    """The last line of a Python traceback in the text, without the name of the error; else the first line."""
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    raised = [line for line in lines if re.match(r"[\w.]*(Error|Exception): ", line)]
    line = raised[-1] if raised and "Traceback" in text else (lines or ["no reason was given"])[0]
    return re.sub(r"^[\w.]*(Error|Exception): ", "", line)
