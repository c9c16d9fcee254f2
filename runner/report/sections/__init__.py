"""The sections of the report. Each module here has `SECTIONS`: places on the page, and functions that yield sections.

It may have `sentences(analysis)`, which yields what the answer says of its results if no paradigm is tested.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module

MODULES = [import_module(f"{__name__}.{info.name}") for info in pkgutil.iter_modules(__path__)]
