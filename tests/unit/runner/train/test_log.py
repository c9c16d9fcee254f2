"""The event log: it goes on where a checkpoint left it."""

import json

from runner.train.record import open_log


def read(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_events_after_the_checkpoint_and_torn_lines_are_dropped(tmp_path):
    path = tmp_path / "train.jsonl"
    with open_log(path, 0) as log:
        for step in range(4):
            log.append(json.dumps({"step": step}))
            assert len(read(path)) == step + 1
    with path.open("a") as file:
        file.write('{"step": 4, "lo')
    with open_log(path, 2) as log:
        assert len(read(path)) == 2
        log.append(json.dumps({"step": "again"}))
    assert read(path) == [{"step": 0}, {"step": 1}, {"step": "again"}]


def test_a_log_without_a_checkpoint_begins_anew(tmp_path):
    path = tmp_path / "train.jsonl"
    path.write_text("old\n")
    with open_log(path, 0) as log:
        log.append("{}")
    assert read(path) == [{}]
