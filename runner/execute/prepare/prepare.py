"""Prepare the inputs of all cells in this process: corpora, tokenizer, tokens and suites."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from fictdsl.compiler import CompiledFilter
from fictdsl.diagnostics.diagnostic import Diagnostic
from runner.corpus.import_conllu import import_files
from runner.corpus.matches import match
from runner.corpus.sentence_arrays import Indices, Sentences, read_lines, read_sentences, read_tags
from runner.corpus.store import Store
from runner.errors import InputError
from runner.execute.prepare.amounts import amount_warnings, withheld_warnings
from runner.execute.prepare.corpora import SampledCondition, sample_conditions
from runner.execute.prepare.corrupted import corrupted_suite
from runner.execute.prepare.coverage import COVERAGE, shares
from runner.execute.prepare.documents import condition_documents, document_numbers, text_documents
from runner.execute.prepare.empty_filters import EDITS, EmptyFilter, empty_filters, unchanged_conditions
from runner.execute.prepare.pair_checks import PairCheck, pair_checks, pair_warnings
from runner.execute.prepare.rated import rated_sentences
from runner.execute.prepare.row_changes import row_change
from runner.execute.prepare.tokenizer import make_tokenizer
from runner.execute.records.cache import Cache
from runner.execute.records.events import Listener
from runner.generate.documents import Constraints, suite_constraints
from runner.intervene.corrupt import OPERATIONS
from runner.intervene.edits import Edit, read_edits, write_edits
from runner.intervene.substitute import WORD_TAGS, tag_token
from runner.interventions.context import BaseCorpus, ConditionContext
from runner.interventions.intervention import Flags, Lines, arrangements_of
from runner.interventions.kinds.inject import UNITS
from runner.interventions.word_edit import apply_edits, text_edits_of, word_edits_of
from runner.model.saved import load_tokenizer
from runner.model.token_rows import RowTable, TokenFile
from runner.readers import parse_json
from runner.sample import generate
from runner.score.any_suite import FILES, AnySuite, check_ratings, open_suite, read_suite, sentences_of, write_suite
from runner.score.convention import Convention
from runner.score.minimal_pairs import read_pair_suite
from runner.score.preferences import load_preferences
from runner.score.score_table import score_unigram
from runner.steps.checks.warning import RunWarning
from runner.steps.interventions import added_tokens
from runner.steps.plan import Plan
from runner.steps.resolve import parses_name
from runner.steps.step import Step
from runner.steps.suites import Suite
from runner.train.encode import ChangeLine, encode_text, omitted_lines
from runner.workspace import check_unchanged, write_text

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

ORIGINALS = "originals.npy"  # whether each line is the original of another, edited line
STAGES = "stages.json"  # the name and the first line of each stage of an order


class Preparation:
    """Build the missing steps of a plan before its cells, and report them to `listener`."""

    def __init__(self, plan: Plan, cache: Cache, listener: Listener) -> None:
        self.plan = plan
        self.cache = cache
        self.listener = listener
        self._base: Sentences | None = None
        self._documents: dict[str, Indices] = {}
        self._stores: dict[str, Store] = {}  # kept open: opening a store's DuckDB database takes longer than a query

    def corpora(self) -> None:
        """Build the steps up to the corpora of conditions. Raises InputError for mistakes that depend on the data."""
        plan = self.plan
        if plan.sample is not None:
            self._make(plan.sample, self._sample)
        for name, step in plan.stores.items():
            files, sources = plan.resolved.files.get(name, ()), plan.resolved.sources.get(name, ())
            input_files = [(path, digest) for (_, path), (_, digest) in zip(files, sources, strict=True)]
            self._make(step, partial(self._store, name), input_files)
        for key, step in plan.matches.items():
            self._make(step, partial(self._match, plan.resolved.filters_by_key[key]))
        self._check_matches()
        for name, step in _distinct_steps(plan.edits):
            self._make(step, partial(self._edits, name), _files_of_edits(self.context(name)))
        saved = plan.resolved.tokenizer
        self._make(plan.tokenizer, self._tokenizer, [] if saved is None else [(saved.path, saved.digest)])
        self._check_unknown_token()
        for name, step in plan.suites.items():
            suite = self._suite_settings(name)
            input_files = [] if suite.path is None else [(suite.path, suite.digest)]
            condition = plan.resolved.context(name.rpartition("/")[0])
            self._make(step, partial(self._suite, name), [*input_files, *_files_of_edits(condition)])
        self._check_corrupted()
        for name, step in _distinct_steps(plan.units):
            texts = plan.resolved.texts.get(plan.variants[name].condition, ())
            input_files = [(file.path, file.sha256) for file in texts]
            self._make(step, partial(self._units, name), input_files)
        self._corpora()

    def encode(self) -> None:
        """Build the steps up to the tokens of all texts. Raises InputError as `corpora` does."""
        self.corpora()
        for name, step in self.plan.tokens.items():
            self._make(step, partial(self._tokens, name))
        self._check_test_text()

    def run(self) -> None:
        """Build all steps before the cells. Raises InputError for mistakes that depend on the data."""
        plan = self.plan
        self.encode()
        for name, step in plan.coverage.items():
            self._make(step, partial(self._coverage, name))
        for (corpus, suite), step in plan.unigrams.items():
            self._make(step, partial(self._unigram, corpus, suite))
        for warning in self.warnings():
            self.listener({"event": "warning", **asdict(warning), "message": str(warning)})

    def warnings(self) -> list[RunWarning]:
        """Return the warnings of the plan, and those about the prepared corpora and suites."""
        empty_warnings = [filter_.warning for filter_ in self._empty_filters()]
        unchanged_warnings = unchanged_conditions(self.plan, self.cache)
        return [
            *self.plan.resolved.warnings,
            *empty_warnings,
            *unchanged_warnings,
            *self._corrupted_warnings(),
            *withheld_warnings(self.plan, self.cache),
            *amount_warnings(self.plan, self.cache),
            *pair_warnings(self.plan, self.pair_checks()),
        ]

    def pair_checks(self) -> list[PairCheck]:
        """Return the counts of paradigms with pairs that have unknown words or identical sides, worst first."""
        return pair_checks(self.plan, self.cache)

    def _check_test_text(self) -> None:
        """Raise InputError (FICT604) if a model has no token to predict in the test text, or in that of a condition."""
        resolved = self.plan.resolved
        specs = [entry.training for entry in resolved.models.values() if entry.training.epochs != 0]
        for name in self.plan.tokens:
            condition, _, text = name.rpartition("/")
            if text != "test" or name in self.plan.corpora:
                continue
            tokens, hint = TokenFile.open(self.tokens(name)), None
            is_empty = not tokens.sentences
            if not is_empty and any(
                spec.frame == "none" and not len(RowTable.of(tokens, spec.rows, spec.block, "none")) for spec in specs
            ):
                is_empty, hint = True, 'with frame = "none", a sentence of one token has no token to predict'
            if is_empty:
                reason = f"the test text{condition and ' of ' + condition} has no token to predict"
                problem = resolved.draft.problem("FICT604", "corpus", "test", hint=hint, key="test", reason=reason)
                raise InputError(problem)

    def _check_unknown_token(self) -> None:
        """Raise InputError (FICT604) if words are to be replaced by an unknown token that the tokenizer lacks."""
        evaluations = self.plan.resolved.manifest.evaluate
        indices = [i for i, entry in enumerate(evaluations) if entry.corrupt and entry.corrupt.words == "unk"]
        if indices and load_tokenizer(self.tokenizer()).unk_token is None:
            path, reason = ("evaluate", indices[0], "corrupt", "words"), "the tokenizer has no unknown token"
            raise InputError(self.plan.resolved.draft.problem("FICT604", *path, key="words", reason=reason))

    def _check_corrupted(self) -> None:
        """Raise InputError (FICT604) if no sentence of an evaluation can be corrupted."""
        problems: list[Diagnostic] = []
        for index, evaluation in enumerate(self.plan.resolved.manifest.evaluate):
            settings = evaluation.corrupt
            if settings is not None and not self._corrupted_counts(evaluation.name).total():
                selection = "" if settings.key is None else f" with the comment {settings.key} = {settings.value}"
                reason = f"no sentence{selection} can be corrupted"
                path = ("evaluate", index, "corrupt")
                problems.append(self.plan.resolved.draft.problem("FICT604", *path, key="corrupt", reason=reason))
        if problems:
            raise InputError(problems)

    def _corrupted_counts(self, suite: str) -> Counter[str]:
        """Return the number of pairs of each operation in a suite of corrupted sentences."""
        return Counter(pair.paradigm for pair in read_pair_suite(self.suite(suite)).items)

    def _corrupted_warnings(self) -> Iterator[RunWarning]:
        """Yield a warning for each suite of corrupted sentences that has fewer pairs than its manifest asks for."""
        for evaluation in self.plan.resolved.manifest.evaluate:
            if evaluation.corrupt is not None:
                counts, asked = self._corrupted_counts(evaluation.name), evaluation.corrupt.pairs
                fewer = [f"{operation} {counts[operation]:,}" for operation in OPERATIONS if counts[operation] < asked]
                if fewer:
                    text = f"fewer pairs than the {asked:,} per operation that were asked for: {', '.join(fewer)}"
                    yield RunWarning("pairs", evaluation.name, text)

    def _check_matches(self) -> None:
        """Raise InputError (FICT614) if a filter matches nothing, unless its condition allows it."""
        if problems := [
            filter_.problem(self.plan, self.cache) for filter_ in self._empty_filters() if not filter_.allowed
        ]:
            raise InputError(problems)

    def _empty_filters(self) -> list[EmptyFilter]:
        return empty_filters(self.plan, self.store("train"), lambda compiled: not len(self.matched(compiled.key)))

    # --- results -------------------------------------------------------------------------

    def store(self, name: str) -> Store:
        """Return the open store of a text: train, valid, test or SUITE.parses."""
        if name not in self._stores:
            self._stores[name] = Store.open(self.cache.folder(self.plan.stores[name]) / "store")
        return self._stores[name]

    def matched(self, key: str) -> Indices:
        """Return the ids of the sentences of the base corpus that a filter matches."""
        sids: Indices = np.load(self.cache.folder(self.plan.matches[key]) / "sids.npy")
        return sids

    def match_counts(self, key: str) -> Indices:
        """Return the number of matches of a filter in each sentence of the base corpus, (sentences,)."""
        import pyarrow.parquet as pq

        table = pq.read_table(self.cache.folder(self.plan.matches[key]) / "matches.parquet", columns=["sid"])
        return np.bincount(table["sid"].to_numpy(), minlength=len(self.base().words)).astype(np.int64)

    def sids(self, condition: str) -> Indices:
        """Return the sentence id of each line of a condition, or −k − 1 for line k of an injected text."""
        sids: Indices = np.load(self.cache.folder(self.plan.corpora[condition]) / "sids.npy")
        return sids

    def is_edited(self, condition: str) -> Flags:
        """Return a flag for each line of a condition: False for the original of an edited line, otherwise True."""
        path = self.cache.folder(self.plan.corpora[condition]) / ORIGINALS
        return ~np.load(path) if path.exists() else np.ones(len(self.sids(condition)), dtype=bool)

    def tokens(self, name: str) -> Path:
        """Return the folder of the tokens of a condition or text."""
        return self.cache.folder(self.plan.tokens[name]) / "tokens"

    def tokenizer(self) -> Path:
        """Return the folder of the tokenizer."""
        return self.cache.folder(self.plan.tokenizer) / "tokenizer"

    def suite(self, name: str) -> Path:
        """Return the file or folder of a suite, or of CONDITION/SUITE."""
        kind = self._suite_settings(name).kind
        return self.cache.folder(self.plan.suites[name]) / FILES[kind]

    def _suite_settings(self, name: str) -> Suite:
        return next(suite for suite in self.plan.resolved.suites if suite.name == name.rpartition("/")[2])

    def _constraints(self) -> Constraints:
        """Return the constraints that all suites and the tokenizer impose on generated text."""
        suites = (read_suite(self.suite(name)) for name in self.plan.suites)
        return suite_constraints((text for suite in suites for text in sentences_of(suite)), self.tokenizer())

    # --- building -------------------------------------------------------------------------

    def _make(self, step: Step, build: Callable[[Path], None], input_files: Iterable[tuple[Path, str]] = ()) -> None:
        """Build a step, and check that its `input_files` still have the hashes in its key."""

        def checked_build(folder: Path) -> None:
            build(folder)
            for path, digest in input_files:
                check_unchanged(path, digest)

        self.listener({"event": "start", "step": step.id})
        _, built = self.cache.make(step, checked_build)
        self.listener({"event": "done", "step": step.id, "cached": not built})

    def _sample(self, folder: Path) -> None:
        sample = self.plan.resolved.manifest.corpus.sample
        assert sample is not None
        generate(folder, sentences=sample.sentences, pairs=sample.pairs, seed=sample.seed)

    def _store(self, name: str, folder: Path) -> None:
        if self.plan.sample is not None and name not in self.plan.resolved.files:
            files = [self.cache.folder(self.plan.sample) / f"{name}.conllu"]
        else:
            files = [path for _, path in self.plan.resolved.files[name]]
        import_files(files, folder / "store")

    def _match(self, compiled: CompiledFilter, folder: Path) -> None:
        import pyarrow.parquet as pq

        store = self.store("train")
        table = match(store, compiled)
        pq.write_table(table, folder / "matches.parquet", write_page_checksum=True)
        np.save(folder / "sids.npy", np.unique(table["sid"].to_numpy()))

    def base(self) -> Sentences:
        """Return the sources, numbers and lengths of all sentences of the training store."""
        if self._base is None:
            self._base = read_sentences(self.store("train"))
        return self._base

    def _corpora(self) -> None:
        """Build all conditions together, because the common size depends on all of them."""
        steps = self.plan.corpora
        if all(self.cache.has(step) for step in steps.values()):
            for step in steps.values():
                self.listener({"event": "done", "step": step.id, "cached": True})
            return
        edits_by_step: dict[str, Mapping[int, Edit]] = {}
        for name, step in self.plan.edits.items():
            edits_by_step[step.id] = edits_by_step[step.id] if step.id in edits_by_step else self.edits(name)
        edits_by_name = {name: edits_by_step[self.plan.edits[name].id] for name in steps if name in self.plan.edits}
        sampled = sample_conditions(self.plan, self.base_corpus(), edits_by_name)
        for name, step in steps.items():
            self._make(step, partial(self._corpus, name, sampled[name]))

    def base_corpus(self) -> BaseCorpus:
        """Return the base corpus, on which interventions work."""
        return BaseCorpus(self.store("train"), self.base(), self.matched, self.match_counts)

    def edits(self, name: str) -> Mapping[int, Edit]:
        """Return the edited sentences of a condition, or of CONDITION/TEXT, by sentence id."""
        step = self.plan.edits.get(name)
        return {} if step is None else read_edits(self.cache.folder(step) / EDITS)

    def _corpus(self, name: str, sampled: SampledCondition, folder: Path) -> None:
        lines = self._arrange_lines(name, sampled)
        np.save(folder / "sids.npy", lines.sids)
        np.save(folder / "removed.npy", sampled.removed)
        if not lines.edited.all():
            np.save(folder / ORIGINALS, ~lines.edited)
        if lines.stats:
            np.save(folder / "replaced.npy", lines.replaced)
        if lines.stages:
            write_text(folder / STAGES, json.dumps(lines.stages, ensure_ascii=False) + "\n")
        write_text(folder / "text.txt", "".join(f"{line}\n" for line in lines.texts))
        write_text(folder / "stats.json", json.dumps(sampled.stats(self.base(), lines), indent=1) + "\n")

    def _arrange_lines(self, name: str, sampled: SampledCondition) -> Lines:
        """Return the lines of a condition in their final order, with injected lines."""
        lines = sampled.lines(self.store("train"))
        context = self.plan.context(name)
        if context is not None:
            for arrangement in arrangements_of(context):
                lines = arrangement.arrange(context, lines, self.base_corpus(), self.units_of(name))
        return lines

    def units_of(self, name: str) -> Path | None:
        """Return the file of the units that a condition injects, or None."""
        step = self.plan.units.get(name)
        return None if step is None else self.cache.folder(step) / UNITS

    def _edits(self, name: str, folder: Path) -> None:
        """Write the sentences of a text that a condition edits. `name` is the name of a corpus, or CONDITION/TEXT."""
        context, text = self.context(name), None if name in self.plan.variants else name.rpartition("/")[2]
        assert context is not None
        word_edits, store = text_edits_of(context, text), self.store(text or "train")
        write_edits(apply_edits(word_edits, context, store, self.base_corpus(), folder), folder / EDITS)

    def context(self, name: str) -> ConditionContext | None:
        """Return the condition of a corpus, or of CONDITION/TEXT; None for `full` and for texts of all conditions."""
        if name in self.plan.variants:
            return self.plan.context(name)
        return self.plan.resolved.context(name.partition("/")[0])

    def _units(self, name: str, folder: Path) -> None:
        """Write the units of the texts that a condition injects."""
        context = self.plan.context(name)
        assert context is not None
        arrangement = next(each for each in arrangements_of(context) if each.units_content(context))
        arrangement.write_units(context, partial(self.store, "train"), self._constraints, folder)

    def lines(self, name: str) -> list[str]:
        """Return the sentences of a condition, of a text, or of CONDITION/TEXT."""
        if name in self.plan.corpora:
            path = self.cache.folder(self.plan.corpora[name]) / "text.txt"
            return path.read_bytes().decode().split("\n")[:-1]  # only a newline ends a line
        if name in self.plan.edits:
            edits = self.edits(name)
            lines = read_lines(self.store(name.rpartition("/")[2]))
            texts = (edits[sid].text if sid in edits else line for sid, line in enumerate(lines))
            return [text for text in texts if text is not None]
        return read_lines(self.store(name.rpartition("/")[2]))

    def kept_sids(self, name: str) -> Indices:
        """Return the ids of the sentences of a text, or of CONDITION/TEXT, that edits do not drop."""
        edits, sentences = self.edits(name), self.store(name.rpartition("/")[2]).info.sentences
        dropped = [sid for sid, edit in edits.items() if edit.text is None]
        return np.delete(np.arange(sentences, dtype=np.int64), dropped)

    def _tokenizer(self, folder: Path) -> None:
        store, tokens_by_kind = self.store("train"), added_tokens(self.plan.resolved)
        added = [*tokens_by_kind.get("masks", ()), *read_tags(store, tokens_by_kind.get("tags", ()))]
        tagsets = tokens_by_kind.get("substitutes", ())
        added += [tag_token(tag) for name, tags in WORD_TAGS.items() if name in tagsets for tag in tags]
        make_tokenizer(self.plan.resolved, partial(read_lines, store), added).save_pretrained(folder / "tokenizer")

    def _tokens(self, name: str, folder: Path) -> None:
        tokenizer = load_tokenizer(self.tokenizer())
        change = self._row_change(name, tokenizer)
        encode_text(self.lines(name), tokenizer, folder / "tokens", self.documents(name), change)

    def _row_change(self, name: str, tokenizer: PreTrainedTokenizerBase) -> ChangeLine | None:
        """Return the function that changes the encoded lines of a condition or text, or None."""
        is_corpus = name in self.plan.corpora
        sids = (self.sids(name) if is_corpus else self.kept_sids(name)).tolist()
        store = self.store("train" if is_corpus else name.rpartition("/")[2])
        return row_change(self.context(name), tokenizer, store, sids)

    def stages(self, name: str) -> list[tuple[str, int]]:
        """Return the stages of a condition's order: their names and their first rows in the encoded corpus.

        A row is a line that the encoding has not omitted. Without an order, there are no stages.
        """
        path = self.cache.folder(self.plan.corpora[name]) / STAGES
        if not path.exists():
            return []
        stages = [(str(stage), int(line)) for stage, line in parse_json(path.read_text(encoding="utf-8"))]
        tokenizer = load_tokenizer(self.tokenizer())
        change = self._row_change(name, tokenizer)
        if change is None:
            return stages
        omitted = omitted_lines(self.lines(name), tokenizer, change)
        return [(stage, line - int(np.searchsorted(omitted, line))) for stage, line in stages]

    def documents(self, name: str) -> Indices:
        """Return the first lines of documents of a condition, of a text, or of CONDITION/TEXT."""
        if name not in self.plan.corpora:
            return text_documents(self._document_numbers(name.rpartition("/")[2]), self.kept_sids(name))
        return condition_documents(self._document_numbers("train"), self.sids(name), self.units_of(name))

    def _document_numbers(self, text: str) -> Indices:
        """Return the number of the document of each sentence of a text, (sentences,)."""
        if text not in self._documents:
            self._documents[text] = document_numbers(self.store(text))
        return self._documents[text]

    def _suite(self, name: str, folder: Path) -> None:
        settings = self._suite_settings(name)
        path = settings.path
        if path is None:
            assert self.plan.sample is not None
            path = self.cache.folder(self.plan.sample) / "pairs"
        if settings.corrupt is not None:
            unknown = load_tokenizer(self.tokenizer()).unk_token or ""
            tokenization, is_rewritten = self.plan.resolved.tokenization, settings.corrupt.words != "plain"
            suite: AnySuite = corrupted_suite(
                settings.corrupt,
                path,
                name,
                partial(self.store, "train"),
                unknown,
                folder,
                lowercase=is_rewritten and tokenization.lowercase,
                apostrophes_alike=tokenization.split != "none",
            )
        elif settings.kind == "preference":
            suite = load_preferences(path, name, covariates=settings.covariates, limit=settings.limit)
        elif settings.parsed:
            suite = self._rated_suite(settings, path, name.rpartition("/")[0], folder)
        else:
            suite = open_suite(path, name, limit=settings.limit, paradigms=settings.paradigms)
        write_suite(check_ratings(suite, path), folder)

    def _rated_suite(self, suite: Suite, path: Path, condition: str, folder: Path) -> AnySuite:
        """Return the rated sentences of a suite, with the edits of `condition` if it is not empty."""
        store = import_files([path], folder / "store")
        context = self.plan.resolved.context(condition) if condition else None
        if context is None:
            return rated_sentences(path, suite.name, suite.limit, store, ())
        edits = apply_edits(word_edits_of(context), context, store, self.base_corpus(), None)
        return rated_sentences(path, suite.name, suite.limit, store, edits)

    def _coverage(self, suite: str, folder: Path) -> None:
        targets = self.plan.resolved.targets_by_key
        filters = [
            replace(compiled, name=key, metadata=replace(compiled.metadata, targets=tuple(targets[key])))
            for key, compiled in self.plan.resolved.filters_by_key.items()
        ]
        coverage = shares(read_pair_suite(self.suite(suite)), self.store(parses_name(suite)), filters, "good")
        write_text(
            folder / COVERAGE, json.dumps([asdict(share) for share in coverage if share.targets], indent=1) + "\n"
        )

    def _unigram(self, corpus: str, suite: str, folder: Path) -> None:
        import pyarrow.parquet as pq

        frame = self.plan.resolved.unigram_frame
        convention = Convention(**self.plan.resolved.conventions[suite])
        is_closed = frame == "eos" or convention.context != "as_trained"
        counts = TokenFile.open(self.tokens(corpus)).counts(closed=is_closed)
        tokenizer, pairs = load_tokenizer(self.tokenizer()), read_pair_suite(self.suite(suite))
        table = score_unigram(counts, tokenizer, pairs, convention, frame=frame)
        pq.write_table(table, folder / "scores.parquet", write_page_checksum=True)


def _files_of_edits(context: ConditionContext | None) -> list[tuple[Path, str]]:
    """Return the texts that the word edits of a condition read, with their hashes."""
    if context is None:
        return []
    keys = {key for edit in word_edits_of(context) for key in edit.text_lists}
    return [(file.path, file.sha256) for file in context.files if file.key in keys]


def _distinct_steps(steps: Mapping[str, Step]) -> list[tuple[str, Step]]:
    """Return each distinct step once, with its first name."""
    names = {step.id: name for name, step in reversed(list(steps.items()))}
    return [(name, step) for name, step in steps.items() if names[step.id] == name]
