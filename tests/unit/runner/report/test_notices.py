"""The warnings at the top: of the run, and of what its pairs and filters show."""

import json
from pathlib import Path

from runner.report.cautions import MAX_LISTED_PARADIGMS, notices
from runner.report.page import write_report
from runner.report.results import read_results
from tests.support.results import Fabricated


def test_pairs_are_counted_and_the_worst_paradigms_named_first(tmp_path: Path) -> None:
    paradigms = [("blimp", f"p{i}", "", "", 0.8) for i in range(MAX_LISTED_PARADIGMS + 2)]
    results = read_results(Fabricated(items=20, paradigms=paradigms).write(tmp_path / "results"))
    first = results.paradigms[3]
    first.identical[0, :5] = True
    identical, uneven, unknown = notices(results)
    assert identical.text.startswith(
        f"{MAX_LISTED_PARADIGMS + 2 + 5} of {20 * (MAX_LISTED_PARADIGMS + 2)} pairs have two sides"
    )
    assert identical.subjects[0] == "p3: 6 of 20"  # one of the fixture's own, and five
    assert identical.subjects[-1] == "2 more paradigms"
    assert "different numbers of unknown words" in uneven.text
    assert unknown.subjects[0] == "p0: 3 of 20"


def test_paradigms_of_one_name_in_two_suites_are_counted_apart(tmp_path: Path) -> None:
    paradigms = [("news", "swap", "", "", 0.8), ("news.tags", "swap", "", "", 0.8), ("news", "insert", "", "", 0.8)]
    identical, *_ = notices(read_results(Fabricated(items=20, paradigms=paradigms).write(tmp_path / "results")))
    assert identical.text.startswith("3 of 60 pairs have two sides")
    assert set(identical.subjects) == {"news/swap: 1 of 20", "news.tags/swap: 1 of 20", "insert: 1 of 20"}


def test_filters_without_matches_and_the_run_s_own_warnings(tmp_path: Path) -> None:
    folder = Fabricated(items=4, card={"warnings": ["<b>the corpus has UD v1 labels</b>"]}).write(tmp_path / "results")
    conditions = json.loads((folder / "conditions.json").read_text())
    conditions[1]["matched"] = {"agr-pp-mod": 0, "other": 3}
    (folder / "conditions.json").write_text(json.dumps(conditions))
    own, empty, *_ = notices(read_results(folder))
    assert own.text == "<b>the corpus has UD v1 labels</b>"
    assert empty.subjects == ("agr-pp-mod: agr-pp-mod",)
    page = write_report(folder, tmp_path).read_text(encoding="utf-8")
    assert page.index('id="warnings"') < page.index('id="answer"')
    assert "&lt;b&gt;the corpus has UD v1 labels" in page
    assert "agr-pp-mod: agr-pp-mod" in page
