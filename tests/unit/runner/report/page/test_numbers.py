"""The JSON document: strict, complete, the same as the tables."""

import json

from runner.report.page.numbers import to_json
from runner.report.sections.gather import sections
from runner.report.tables.tables import all_tables


def test_document_holds_every_table(analysis) -> None:
    document = json.loads(to_json(analysis), parse_constant=lambda name: 1 / 0)  # no NaN, no Infinity
    assert document["run"] == "made-up"
    parts = [table for section in sections(analysis) for table in section.tables]
    assert document["tables"] == {table.name: table.records() for table in (*all_tables(analysis), *parts)}
    assert "fell below" in document["answer"]["text"]
