"""Items of a targeted paradigm as dots: one for each, in the right quadrant."""

from xml.etree import ElementTree

import numpy as np

from runner.report.figures.scatter import scatter


def test_every_item_is_a_dot_in_its_quadrant(analysis) -> None:
    rows = [p for p in analysis.probability_deltas if p.targeted and p.condition == "agr-pp-mod"]
    root = ElementTree.fromstring(scatter(rows, "nats"))
    paths = [e for e in root if e.tag == "path"]
    assert sum(e.get("d").count("h0") for e in paths) == sum(row.items for row in rows)
    lost = [e for e in paths if e.get("class").endswith("lost")]
    expected = sum(int(((row.full_deltas > 0) & (row.condition_deltas <= 0)).sum()) for row in rows)
    assert sum(e.get("d").count("h0") for e in lost) == expected > 0


def test_extreme_items_stay_on_the_border(analysis) -> None:
    from dataclasses import replace

    row = next(p for p in analysis.probability_deltas if p.targeted)
    far = row.full_deltas.copy()
    far[0] = 1e6
    root = ElementTree.fromstring(scatter([replace(row, full_deltas=far)], "SLOR"))
    assert "PΔ full, SLOR" in [e.text for e in root]
    spots = [part.split() for e in root if e.tag == "path" for part in e.get("d").removesuffix("h0")[1:].split("h0M")]
    assert max(float(x) for x, _ in spots) <= float(root.get("width"))
    assert np.isfinite([float(v) for spot in spots for v in spot]).all()
