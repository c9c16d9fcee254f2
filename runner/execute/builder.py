"""Build the steps before the cells: corpora, tokenizer, tokens and suites."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import ClassVar, TypeAlias

import numpy as np

from fictdsl.diagnostics.diagnostic import Diagnostic
from runner.audit.coverage import shares
from runner.conditions.condition import BaseCorpus, redrawn_seed
from runner.conditions.corpus import ConditionCorpus
from runner.conditions.corrupted_pairs import OPERATIONS, PLAIN, Rendering, corrupted_pairs
from runner.conditions.edits import Edit, write_edits
from runner.conditions.intervention import (
    apply_edits,
    arrangements_of,
    edits_originals,
    keeps_originals,
    selection_of,
    text_edits_of,
    word_edits_of,
)
from runner.conditions.substitute import WORD_TAGS, Boundary, Substitution, tag_token
from runner.corpus.import_conllu import import_files
from runner.corpus.matches import match
from runner.corpus.sentence_arrays import read_lines, read_tags, read_values
from runner.corpus.statistics import form_frequencies, frequent_tags, frequent_words
from runner.corpus.store import Store
from runner.errors import InputError
from runner.execute.cache import Cache
from runner.execute.prepared import ORIGINALS, STAGES, Prepared
from runner.execute.state import Listener
from runner.execute.warnings import (
    COVERAGE,
    EDITS,
    check_size,
    data_warnings,
    empty_filter_warnings,
    too_small_problem,
    unchanged_conditions,
)
from runner.generate.documents import Constraints, suite_constraints
from runner.manifest.model import Corrupt
from runner.model.saved import load_tokenizer
from runner.model.token_rows import RowTable, TokenFile, encode_text
from runner.model.tokenizer import add_tokens, train_bpe_tokenizer, train_word_tokenizer
from runner.sample.corpus import generate
from runner.score.any_suite import BY_NAME, kind_of_suite, read_suite, sentences_of, write_suite
from runner.score.convention import Convention
from runner.score.minimal_pairs import read_pair_suite
from runner.score.ratings import Rated, Sentences
from runner.score.score_table import score_unigram
from runner.score.suite_files import Pair, Suite, finite_number
from runner.score.suite_kind import AnySuite
from runner.steps.checks import RunWarning
from runner.steps.names import TextName, parses_name, split_suite
from runner.steps.plan import RunPlan
from runner.steps.step import Step
from runner.steps.suites import SuiteEntry
from runner.steps.variants import added_tokens, needs_mask_token, sets_common_size
from runner.workspace import check_unchanged, write_text

RATING = "rating"  # key of the comment with the rating of a sentence


def rated_sentences(path: Path, name: str, limit: int | None, store: Store, edits: Iterable[Edit]) -> Sentences:
    """Return the first `limit` sentences of a CoNLL-U file, edited and with the ratings in their comments `rating`."""
    texts = read_lines(store)
    for edit in edits:
        texts[edit.sid] = edit.text or texts[edit.sid]
    texts_and_ratings = zip(texts, read_values(store, RATING), strict=True)
    items = [_rated(path, number, text, rating) for number, (text, rating) in enumerate(texts_and_ratings, 1)]
    return Sentences(name, items[:limit])


def _rated(path: Path, number: int, sentence: str, rating: str | None) -> Rated:
    value = None if rating is None else finite_number(rating)
    if rating is not None and value is None:
        reason = f"the rating of sentence {number} is `{rating}`, which is not a number"
        raise InputError.of("FICT811", path=path, reason=reason)
    return Rated(sentence, value)


def corrupted_suite(
    settings: Corrupt, path: Path, name: str, folder: Path, rare: Substitution | None, replacement: str | None
) -> Suite:
    store = import_files([path], folder / "store")
    candidates, rendering = frequent_words(store), PLAIN
    if rare is not None:
        tags, substitution = frequent_tags(store, settings.tags), rare

        def render_word(form: str) -> str:
            tag = substitution.tag(form, tags[form])
            return form if tag is None else tag if replacement is None else replacement

        rendering = Rendering(lambda surface: substitution.hybrid_surface(surface, replacement), render_word)
    sids = None
    if settings.key is not None:  # a comment of the sentence, or of its document
        sids = np.flatnonzero([value == str(settings.value) for value in read_values(store, settings.key)])
    pairs = [
        Pair(operation, operation, name.partition(".")[0], item, pair.good, pair.bad)
        for operation in OPERATIONS
        for item, pair in enumerate(
            corrupted_pairs(store, operation, settings.pairs, settings.seed, candidates, only=sids, rendering=rendering)
        )
    ]
    return Suite(name, pairs)


EditsByCorpus: TypeAlias = Mapping[TextName, Mapping[int, Edit]]


def sample_conditions(plan: RunPlan, base: BaseCorpus, edits: EditsByCorpus) -> dict[TextName, ConditionCorpus]:
    """Return every corpus after sampling to the common size of its seed. Raises InputError (FICT640, 648, 649)."""
    check_size(plan, len(base.sentences.words), int(base.sentences.words.sum()))
    sampled: dict[TextName, ConditionCorpus] = {}
    conditions = plan.conditions_by_corpus
    for redraw in dict.fromkeys(condition.redraw for condition in conditions.values()):
        names = [name for name, condition in conditions.items() if condition.redraw == redraw]
        sampled |= _sample_draw(plan, names, redraw, base, edits)
    return sampled


def _sample_draw(
    plan: RunPlan, names: list[TextName], redraw: int | None, base: BaseCorpus, edits: EditsByCorpus
) -> dict[TextName, ConditionCorpus]:
    """Sample the corpora of one redraw to one size, by one ranking of the sentences.

    The size is the count of the manifest, or that of the smallest corpus among those that set the size. Others that are
    smaller first get removed sentences back.
    """
    size = plan.resolved.manifest.size
    ranks = base.ranks(f"size:{redrawn_seed(size.seed, redraw)}")
    candidates = {name: _build_candidate(plan, name, base, edits.get(name, {})) for name in names}
    if empty := [name for name, candidate in candidates.items() if not len(candidate.remaining)]:
        raise InputError([_empty_condition_problem(plan, name) for name in empty])
    size_setters = [name for name in names if sets_common_size(plan.conditions_by_corpus[name])]
    count = size.count if isinstance(size.count, int) else min(candidates[name].size for name in size_setters)
    candidates |= {name: candidates[name].restored(ranks, count) for name in names if name not in size_setters}
    if small_sizes := {str(name): candidate.size for name, candidate in candidates.items() if candidate.size < count}:
        raise InputError([too_small_problem(plan, name, available, count) for name, available in small_sizes.items()])
    return {name: candidate.sample(ranks, count) for name, candidate in candidates.items()}


def _build_candidate(plan: RunPlan, name: TextName, base: BaseCorpus, edits: Mapping[int, Edit]) -> ConditionCorpus:
    """Return what a condition leaves of the base corpus, from which the sample is drawn.

    Edits change the number of words of a sentence. Where a condition keeps originals too, an edited sentence and its
    original are drawn together, and both count.
    """
    by, condition = plan.resolved.manifest.size.by, plan.conditions_by_corpus[name]
    keeps, also_edits = keeps_originals(condition), edits_originals(condition)
    if keeps and not also_edits:  # of a sentence that an edit drops, the original remains
        edits = {sid: edit for sid, edit in edits.items() if edit.text is not None}
    with_originals = [sid for sid, edit in edits.items() if keeps and not (also_edits and edit.original is None)]
    words = base.sentences.words.copy()
    for sid, edit in edits.items():
        words[sid] -= edit.removed
    originals = np.zeros_like(words)
    originals[with_originals] = base.sentences.words[with_originals]
    selection = selection_of(condition)
    removed = base.everything()[:0] if selection is None else selection.removed_sentences(condition, base)
    emptied = np.array([sid for sid, edit in edits.items() if edit.text is None], dtype=np.int64)
    return ConditionCorpus(removed, emptied, words, originals, by, edits)


def _empty_condition_problem(plan: RunPlan, name: TextName) -> Diagnostic:
    condition = plan.conditions_by_corpus[name]
    if not condition.interventions:
        return plan.resolved.draft.problem("FICT649", "corpus", condition=str(name))
    return condition.problem("FICT649", condition.interventions[0].key, condition=str(name))


class Builder(Prepared):
    """Builds the steps before the cells, each only if the cache lacks its result, and reads results as `Prepared` does.

    `run` includes `encode`, which includes `corpora`; each may be called again. Checks that need a result run as soon
    as it is there, before longer steps. The sampled corpora are in memory only while the steps `corpus` are built.
    """

    def __init__(self, plan: RunPlan, cache: Cache, listener: Listener) -> None:
        super().__init__(plan, cache)
        self.listener = listener
        self._sampled: Mapping[TextName, ConditionCorpus] = {}

    def corpora(self) -> None:
        self._build("sample", "store", "match")
        self._empty_filter_warnings()
        self._build("edit", "tokenizer")
        self._check_unknown_token()
        self._build("suite")
        self._check_corrupted()
        self._build("units", "corpus")
        self._sampled = {}

    def encode(self) -> None:
        self.corpora()
        self._build("tokens")
        self._check_test_text()

    def run(self) -> None:
        self.encode()
        self._build("coverage", "unigram")
        for warning in self.warnings():
            self.listener({"event": "warning", **asdict(warning), "message": str(warning)})

    def _build(self, *kinds: str) -> None:
        for step in self.plan.steps():
            if step.kind not in kinds:
                continue

            def build(folder: Path, step: Step = step) -> None:
                self._builders[step.kind](self, step, folder)
                for path, digest in step.files:
                    check_unchanged(path, digest)

            self.listener({"event": "start", "step": step.id})
            _, was_built = self.cache.make(step, build)
            self.listener({"event": "done", "step": step.id, "cached": not was_built})

    def warnings(self) -> list[RunWarning]:
        return [
            *self.plan.resolved.warnings,
            *self._empty_filter_warnings(),
            *unchanged_conditions(self.plan, self.cache),
            *self._corrupted_warnings(),
            *data_warnings(self.plan, self.cache),
        ]

    def _empty_filter_warnings(self) -> list[RunWarning]:
        store = self.store("train")
        return empty_filter_warnings(self.plan, self.cache, store, lambda compiled: not len(self.matched(compiled.key)))

    def _check_test_text(self) -> None:
        resolved = self.plan.resolved
        specs = [entry.training for entry in resolved.models.values() if entry.training.epochs != 0]
        for name in self.plan.tokens:
            if name.split != "test":
                continue
            tokens, hint = TokenFile.open(self.tokens(name)), None
            is_empty = not tokens.sentences
            if not is_empty and any(
                spec.frame == "none" and not len(RowTable.of(tokens, spec.rows, spec.block, "none")) for spec in specs
            ):
                is_empty, hint = True, 'with frame = "none", a sentence of one token has no token to predict'
            if is_empty:
                reason = f"{name.title} has no token to predict"
                problem = resolved.draft.problem("FICT604", "corpus", "test", hint=hint, key="test", reason=reason)
                raise InputError(problem)

    def _check_unknown_token(self) -> None:
        evaluations = self.plan.resolved.manifest.evaluate
        indices = [i for i, entry in enumerate(evaluations) if entry.corrupt and entry.corrupt.words == "unk"]
        if indices and load_tokenizer(self.tokenizer()).unk_token is None:
            path, reason = ("evaluate", indices[0], "corrupt", "words"), "the tokenizer has no unknown token"
            raise InputError(self.plan.resolved.draft.problem("FICT604", *path, key="words", reason=reason))

    def _check_corrupted(self) -> None:
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
        return Counter(pair.paradigm for pair in read_pair_suite(self.suite(suite)).items)

    def _corrupted_warnings(self) -> Iterator[RunWarning]:
        for evaluation in self.plan.resolved.manifest.evaluate:
            if evaluation.corrupt is not None:
                counts, asked = self._corrupted_counts(evaluation.name), evaluation.corrupt.pairs
                fewer = [f"{operation} {counts[operation]:,}" for operation in OPERATIONS if counts[operation] < asked]
                if fewer:
                    text = f"fewer pairs than the {asked:,} per operation that were asked for: {', '.join(fewer)}"
                    yield RunWarning("pairs", evaluation.name, text)

    # --- steps by kind --------------------------------------------------------------------

    def _build_sample(self, _: Step, folder: Path) -> None:
        sample = self.plan.resolved.manifest.corpus.sample
        assert sample is not None
        generate(folder, sentences=sample.sentences, pairs=sample.pairs, seed=sample.seed)

    def _build_store(self, step: Step, folder: Path) -> None:
        name = step.name
        if self.plan.sample is not None and name not in self.plan.resolved.files:
            files = [self.cache.folder(self.plan.sample) / f"{name}.conllu"]
        else:
            files = [path for _, path in self.plan.resolved.files[name]]
        import_files(files, folder / "store")

    def _build_match(self, step: Step, folder: Path) -> None:
        import pyarrow.parquet as pq

        store = self.store("train")
        table = match(store, self.plan.resolved.filters_by_key[step.inputs["filter"]])
        pq.write_table(table, folder / "matches.parquet", write_page_checksum=True)
        np.save(folder / "sids.npy", np.unique(table["sid"].to_numpy()))

    def _build_edit(self, step: Step, folder: Path) -> None:
        name = TextName.parse(step.name)
        condition, store = self.condition(name), self.store(name.split)
        word_edits = text_edits_of(condition, None if name.split == "train" else name.split)
        write_edits(apply_edits(word_edits, condition, store, self.base_corpus(), folder), folder / EDITS)

    def _build_tokenizer(self, _: Step, folder: Path) -> None:
        store, tokens_by_kind = self.store("train"), added_tokens(self.plan.resolved)
        added = [*tokens_by_kind.get("masks", ()), *read_tags(store, tokens_by_kind.get("tags", ()))]
        tagsets = tokens_by_kind.get("substitutes", ())
        added += [tag_token(tag) for name, tags in WORD_TAGS.items() if name in tagsets for tag in tags]
        resolved, settings = self.plan.resolved, self.plan.resolved.manifest.tokenizer
        if resolved.tokenizer is not None:
            tokenizer = add_tokens(load_tokenizer(resolved.tokenizer.path), added)
        else:
            train = train_bpe_tokenizer
            if settings.kind == "word":
                train = partial(train_word_tokenizer, split=settings.split)
            is_masked = needs_mask_token(resolved)
            lines, size, lowercase = read_lines(store), settings.size, settings.lowercase
            tokenizer = train(lines, size=size, lowercase=lowercase, added=added, mask=is_masked)
        tokenizer.save_pretrained(folder / "tokenizer")

    def _build_suite(self, step: Step, folder: Path) -> None:
        condition, name = split_suite(step.name)
        settings = self.suite_settings(name)
        path = settings.path
        if path is None:
            assert self.plan.sample is not None
            path = self.cache.folder(self.plan.sample) / "pairs"
        if settings.corrupt is not None:
            rare, replacement = self._rare_words(settings.corrupt)
            suite: AnySuite = corrupted_suite(settings.corrupt, path, name, folder, rare, replacement)
        elif settings.parsed:
            suite = self._rated_suite(settings, path, condition, folder)
        else:
            kind, limit, covariates = BY_NAME[settings.kind], settings.limit, settings.covariates
            suite = kind.open(path, name, limit=limit, paradigms=settings.paradigms, covariates=covariates)
        kind_of_suite(suite).check(suite, path)
        write_suite(suite, folder)

    def _rare_words(self, settings: Corrupt) -> tuple[Substitution | None, str | None]:
        if settings.words == "plain":
            return None, None
        tokenization = self.plan.resolved.tokenization
        lowercase, alike = tokenization.lowercase, tokenization.split != "none"
        counts = form_frequencies(self.store("train"), lowercase=lowercase, apostrophes_alike=alike)
        unknown = load_tokenizer(self.tokenizer()).unk_token or ""
        substitution = Substitution(Boundary.of(counts, settings.alpha), settings.tags, lowercase, alike)
        return substitution, unknown if settings.words == "unk" else None

    def _rated_suite(self, suite: SuiteEntry, path: Path, condition: str, folder: Path) -> AnySuite:
        store = import_files([path], folder / "store")
        if not condition:
            return rated_sentences(path, suite.name, suite.limit, store, ())
        edited = self.plan.resolved.conditions[condition]
        edits = apply_edits(word_edits_of(edited), edited, store, self.base_corpus(), None)
        return rated_sentences(path, suite.name, suite.limit, store, edits)

    def _build_units(self, step: Step, folder: Path) -> None:
        condition = self.condition(TextName.parse(step.name))
        arrangement = next(each for each in arrangements_of(condition) if each.units_content(condition))
        arrangement.write_units(condition, partial(self.store, "train"), self._constraints, folder)

    def _constraints(self) -> Constraints:
        names = [*((suite,) for suite in self.plan.suites), *self.plan.edited_suites]
        suites = (read_suite(self.suite(*name)) for name in names)
        return suite_constraints((text for suite in suites for text in sentences_of(suite)), self.tokenizer())

    def _build_corpus(self, step: Step, folder: Path) -> None:
        """Sample all conditions, because the common size depends on all of them, and write the corpus of one."""
        if not self._sampled:
            steps = {name: edit.id for name, edit in self.plan.edits.items() if name in self.plan.corpora}
            edits_by_step = {edit: self.edits(name) for name, edit in steps.items()}
            edits = {name: edits_by_step[edit] for name, edit in steps.items()}
            self._sampled = sample_conditions(self.plan, self.base_corpus(), edits)
        name = TextName.parse(step.name)
        corpus, condition = self._sampled[name].with_texts(self.store("train")), self.condition(name)
        for arrangement in arrangements_of(condition):
            corpus = arrangement.arrange(condition, corpus, self.base_corpus(), self.units_of(name))
        np.save(folder / "sids.npy", corpus.sids)
        np.save(folder / "removed.npy", corpus.excluded)
        if not corpus.edited.all():
            np.save(folder / ORIGINALS, ~corpus.edited)
        if corpus.injection:
            np.save(folder / "replaced.npy", corpus.replaced)
        if corpus.stages:
            write_text(folder / STAGES, json.dumps(corpus.stages, ensure_ascii=False) + "\n")
        write_text(folder / "text.txt", "".join(f"{line}\n" for line in corpus.texts))
        write_text(folder / "stats.json", json.dumps(corpus.stats(self.base()), indent=1) + "\n")

    def _build_tokens(self, step: Step, folder: Path) -> None:
        name = TextName.parse(step.name)
        tokenizer = load_tokenizer(self.tokenizer())
        change = self.row_change(name, tokenizer)
        encode_text(self.lines(name), tokenizer, folder / "tokens", self.documents(name), change)

    def _build_coverage(self, step: Step, folder: Path) -> None:
        suite = step.name
        targets = self.plan.resolved.targets_by_key
        filters = [
            replace(compiled, name=key, metadata=replace(compiled.metadata, targets=tuple(targets[key])))
            for key, compiled in self.plan.resolved.filters_by_key.items()
        ]
        coverage = shares(read_pair_suite(self.suite(suite)), self.store(parses_name(suite)), filters, "good")
        write_text(
            folder / COVERAGE, json.dumps([asdict(share) for share in coverage if share.targets], indent=1) + "\n"
        )

    def _build_unigram(self, step: Step, folder: Path) -> None:
        corpus, suite = split_suite(step.name)
        import pyarrow.parquet as pq

        frame = self.plan.resolved.unigram_frame
        convention = Convention(**self.plan.resolved.conventions[suite])
        is_closed = frame == "eos" or convention.context != "as_trained"
        counts = TokenFile.open(self.tokens(TextName.parse(corpus))).counts(closed=is_closed)
        tokenizer, pairs = load_tokenizer(self.tokenizer()), read_pair_suite(self.suite(suite))
        table = score_unigram(counts, tokenizer, pairs, convention, frame=frame)
        pq.write_table(table, folder / "scores.parquet", write_page_checksum=True)

    _builders: ClassVar[Mapping[str, Callable[[Builder, Step, Path], None]]] = {
        "sample": _build_sample,
        "store": _build_store,
        "match": _build_match,
        "edit": _build_edit,
        "tokenizer": _build_tokenizer,
        "suite": _build_suite,
        "units": _build_units,
        "corpus": _build_corpus,
        "tokens": _build_tokens,
        "coverage": _build_coverage,
        "unigram": _build_unigram,
    }
