"""From a manifest to a report. Importing any of it adds its diagnostics to the catalogue."""

from __future__ import annotations

import runner.diagnostics as _diagnostics  # noqa: F401
