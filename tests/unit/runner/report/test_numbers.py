"""The JSON document: strict, complete, the same as the tables."""

import json

from runner.report.document import report_of, to_json


def test_document_holds_every_table(analysis) -> None:
    report = report_of(analysis)
    document = json.loads(to_json(report), parse_constant=lambda name: 1 / 0)  # no NaN, no Infinity
    assert document["run"] == "made-up"
    assert document["tables"] == {table.name: table.records() for table in report.tables}
    assert "fell below" in document["answer"]["text"]


def test_keys_of_earlier_documents_are_still_there(analysis) -> None:
    tables = json.loads(to_json(report_of(analysis)))["tables"]
    names = "targeted contrasts accuracy perplexity probability comparisons correlations corpora filters detectable"
    assert {*names.split(), "failed", "sentences", "sensitivity", "taken-out"} <= tables.keys()
    row = tables["targeted"][0]
    keys = (
        "suite paradigm condition model full control after unigram reference delta delta_low delta_high se df p holm bh"
    )
    keys += " bootstrap_low bootstrap_high paired paired_low paired_high seed_correlation n n_reference verdict note"
    assert {*keys.split(), "delta_full", "p_full", "holm_full", "bh_full"} <= row.keys()
    assert {"kind", "control_of", "overlap_blimp"} <= tables["corpora"][0].keys()
