"""Tables of results from anywhere: what is read, what is forgiven, and what each mistake is told as."""

import io
from pathlib import Path

import pytest

from runner.errors import InputError
from runner.report.long_form import read_long_form
from tests.support import long_form


def lines(tmp_path: Path, *table: str, header: str = "corpus,arch,seed,benchmark,metric,value") -> Path:
    path = tmp_path / "results.csv"
    path.write_text("\n".join([header, *table]) + "\n", encoding="utf-8")
    return path


def told(path: Path) -> list[str]:
    with pytest.raises(InputError) as caught:
        read_long_form(path)
    return [problem.message for problem in caught.value.diagnostics]


def test_reads_every_value(tmp_path: Path) -> None:
    table = long_form.rows()
    found = read_long_form(long_form.write(tmp_path / "results.csv", table))
    assert [(r.corpus, r.benchmark, r.metric, r.value) for r in found.rows] == [(r[0], r[3], r[4], r[5]) for r in table]
    assert (found.name, found.absent, found.unused) == ("results", 0, ())


@pytest.mark.parametrize("delimiter", [",", "\t", ";"])
def test_columns_in_any_order_and_others_besides(tmp_path: Path, delimiter: str) -> None:
    path = tmp_path / "results.csv"
    header = ("Metric", "seed", "note", "model", "benchmark", "condition", "value")
    long_form.write(path, [("accuracy", "1.0", "x", "lstm", "blimp/passive_1", "full", "0.5")], header, delimiter)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n") + b"\r\n")
    (row,) = read_long_form(path).rows
    assert (row.corpus, row.arch, row.seed, row.benchmark, row.value) == ("full", "lstm", 1, "blimp/passive_1", 0.5)


@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"])
def test_standard_input_is_read_as_a_file_is(start: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    header = b"corpus;arch;seed;benchmark;metric;value\r\n"
    given = io.TextIOWrapper(io.BytesIO(start + header + "full;mögl;1;test;ppl;9\r\n".encode()), encoding="cp1252")
    monkeypatch.setattr("sys.stdin", given)
    found = read_long_form(Path("-"))
    assert (found.name, [(row.line, row.arch, row.value) for row in found.rows]) == ("results", [(2, "mögl", 9.0)])


def test_empty_values_are_counted_and_unknown_metrics_named(tmp_path: Path) -> None:
    path = lines(
        tmp_path, "full,lstm,1,test,ppl,NA", "full,lstm,2,test,ppl,", "full,lstm,3,test,ppl,9", "full,lstm,3,test,bpc,1"
    )
    found = read_long_form(path)
    assert (len(found.rows), found.absent, found.unused) == (1, 2, ("bpc",))


def test_only_newlines_end_lines(tmp_path: Path) -> None:
    path = lines(tmp_path, "full,an\x85lstm,1,test,ppl,9", "full,an\u2028lstm,1,test,ppl,8")
    assert [(row.line, row.arch) for row in read_long_form(path).rows] == [(2, "an\x85lstm"), (3, "an\u2028lstm")]
    path = lines(tmp_path, "full,an\x85lstm,1,test,ppl,9", "full,lstm,1,test,ppl,few")
    with pytest.raises(InputError) as caught:
        read_long_form(path)
    (problem,) = caught.value.diagnostics
    assert "line 3" in problem.message
    assert (problem.source.position(problem.span.start), problem.source.text[problem.span.start :][:4]) == (
        (3, 1),
        "full",
    )


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("full,lstm,1,blimp/passive_1,accuracy,86.3", "the accuracy is 86.3; expected a share from 0 to 1; divide"),
        ("full,lstm,1,blimp/passive_1,accuracy,-0.1", "the accuracy is -0.1; expected a share from 0 to 1"),
        ("full,lstm,1,passive_1,accuracy,0.9", "accuracy needs a benchmark `suite/paradigm`"),
        ("full,lstm,one,test,ppl,50", "the seed is `one`, which is not a number"),
        ("full,lstm,1.5,test,ppl,50", "the seed is `1.5`, which is not a non-negative integer"),
        ("full,lstm,1,test,ppl,fifty", "the value is `fifty`, which is not a number"),
        ("full,lstm,1,test,ppl,inf", "the value is `inf`, which is not finite"),
        ("full,lstm,1,test,ppl,0.5", "the perplexity is 0.5, less than 1"),
        ("full,lstm,1,test,loss,-1", "the loss is -1"),
        ("full,lstm,1,ratings,pearson,1.2", "the correlation is 1.2, not between −1 and 1"),
        ("full,,1,test,ppl,50", "the arch is empty"),
        ("full,unigram,1,test,ppl,50", "the arch is `unigram`, the name that reports use"),
        ("full,lstm,,test,ppl,50", "the seed is empty"),
        ("full,lstm,1,train,tokens,50", "tokens belong to a corpus"),
        ("full,,,test,tokens,50", "tokens need the benchmark `train`"),
        ("full,,,train,tokens,0.5", "0.5 tokens"),
        (",lstm,1,test,ppl,50", "the corpus is empty"),
        ("full,lstm,1,test,ppl", "it has 5 fields, but the header has 6"),
        ('full,lstm,1,test,ppl,"50', "it is not valid CSV"),
    ],
)
def test_a_wrong_line_is_named_with_its_reason(tmp_path: Path, line: str, reason: str) -> None:
    (message,) = told(lines(tmp_path, "full,lstm,9,test,ppl,50", line))
    assert message.startswith(f"line 3 of {tmp_path / 'results.csv'} cannot be used: ")
    assert reason in message


def test_values_beyond_what_statistics_hold_count_as_the_largest(tmp_path: Path) -> None:
    path = lines(tmp_path, "full,m,1,s/p,delta,-1e307", "full,m,1,test,ppl,1.7e308", "full,m,1,test,loss,9e299")
    assert [row.value for row in read_long_form(path).rows] == [-1e300, 1e300, 9e299]


def test_the_same_cell_twice_names_both_lines(tmp_path: Path) -> None:
    (message,) = told(lines(tmp_path, "full,lstm,1,test,ppl,50", "full,lstm,1,test,ppl,50"))
    assert "line 3" in message and "already in line 2" in message


def test_all_mistakes_are_told_at_once_up_to_ten(tmp_path: Path) -> None:
    assert len(told(lines(tmp_path, *(f"full,lstm,{seed},test,ppl,0" for seed in range(30))))) == 10


def test_headers_and_files_that_are_none(tmp_path: Path) -> None:
    assert "no column `value`" in told(lines(tmp_path, header="corpus,arch,seed,benchmark,metric,valve"))[0]
    assert "two columns `arch`" in told(lines(tmp_path, header="corpus,arch,model,seed,benchmark,metric,value"))[0]
    assert "no value that a report uses" in told(lines(tmp_path))[0]
    assert "no such file" in told(tmp_path / "nowhere.csv")[0]
    (tmp_path / "latin.csv").write_bytes(b"corpus,\xe9")
    assert "UTF-8" in told(tmp_path / "latin.csv")[0]


@pytest.mark.parametrize("name", ["none", "NA", "nan", "null"])
def test_a_model_may_be_called_like_a_missing_value(tmp_path: Path, name: str) -> None:
    found = read_long_form(lines(tmp_path, f"full,{name},1,test,ppl,9", f"full,{name},,train,tokens,100"))
    assert [(row.arch, row.metric) for row in found.rows] == [(name, "ppl"), ("", "tokens")]


def test_the_delimiter_is_that_of_the_first_line_with_text(tmp_path: Path) -> None:
    path = tmp_path / "table.tsv"
    path.write_text("\n\ncorpus\tarch\tseed\tbenchmark\tmetric\tvalue\nfull\tlstm\t1\ttest\tppl\t9\n")
    assert [row.value for row in read_long_form(path).rows] == [9.0]


@pytest.mark.parametrize("row", ["full,lstm,1_0,test,ppl,9", "full,lstm,1,test,ppl,9_0", "full,lstm,1,test,ppl,٣"])
def test_numbers_have_no_underscores_or_other_digits(tmp_path: Path, row: str) -> None:
    assert "which is not a number" in told(lines(tmp_path, row))[0]


def test_large_seeds_are_exact(tmp_path: Path) -> None:
    seeds = (2**53, 2**53 + 1)
    found = read_long_form(lines(tmp_path, *(f"full,lstm,{seed},test,ppl,9" for seed in seeds)))
    assert [row.seed for row in found.rows] == list(seeds)


def test_a_table_of_unknown_metrics_names_them_and_those_that_are_read(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("corpus,arch,seed,benchmark,metric,value\nfull,m,1,blimp/p,accurcy,0.5\n")
    with pytest.raises(InputError) as error:
        read_long_form(path)
    (found,) = error.value.diagnostics
    assert "its metrics `accurcy`; the metrics are accuracy, delta, ppl, loss, pearson, tokens" in found.message
    assert "`accuracy`" in (found.hint or "")


def test_a_table_in_utf_16_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("corpus,arch,seed,benchmark,metric,value\n", encoding="utf-16")
    with pytest.raises(InputError, match="it is UTF-16, not UTF-8"):
        read_long_form(tmp_path / "x.csv")
