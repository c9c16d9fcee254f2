"""The diagnostic codes of the runner: manifests, corpora, models, runs and reports (FICT6xx to FICT8xx).

Each module here is a family with its `CODES`; importing the package adds them to the catalogue.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module

from fictdsl.diagnostics.codes import register

register(
    entry for family in pkgutil.iter_modules(__path__, f"{__name__}.") for entry in import_module(family.name).CODES
)
