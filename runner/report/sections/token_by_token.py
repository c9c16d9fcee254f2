"""Token log-probabilities of a corrupted pair, with and without tags.

See figure 3 of the paper that `experiments/hybrid` reproduces.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runner import formatting
from runner.report.markup import box, drawing, svg_text, tag, tooltip
from runner.report.section import Figure, Section, slug
from runner.report.sections.corruptions import OPERATIONS, is_treated
from runner.report.sections.substitutions import alpha
from runner.report.statistics import Analysis, full_condition
from runner.score.pair_matrices import Tokens
from runner.tables import Column, Table

PAPER_ALPHA = 0.1  # α of the paper's example
EDGES = (-2.0, -4.0, -6.0, -8.0, -10.0)  # ln p at which the shade of a token changes
CHARACTER_WIDTH, ROW_HEIGHT, WIDTH, LEFT = 6.6, 38, 900, 92


def sections(analysis: Analysis) -> Iterator[Section]:
    """Yield a section with, for each suite and model, the pair on which tags increase the score difference most."""
    tokens_by_key = {(entry.condition, entry.model, entry.suite): entry for entry in analysis.results.tokens}
    full, tagged = full_condition(analysis.results), _tagged_condition(analysis)
    figures, rows = [], []
    for suite in dict.fromkeys(entry.suite for entry in tokens_by_key.values()):
        if full is None or tagged is None or is_treated(suite):
            continue
        for model in analysis.results.models:
            full_tokens = tokens_by_key.get((full.name, model, suite))
            tagged_tokens = tokens_by_key.get((tagged, model, f"{suite}.tags")) or tokens_by_key.get(
                (tagged, model, suite)
            )
            pair = None if full_tokens is None or tagged_tokens is None else _selected_pair(full_tokens, tagged_tokens)
            if full_tokens is None or tagged_tokens is None or pair is None:
                continue
            title = f"{suite}, {pair[0].replace('-', ' ')}, pair {pair[1]}, {model}"
            cells = [(full.name, full_tokens), (tagged, tagged_tokens)]
            figures.append(Figure(slug(f"tokens-{suite}-{model}"), title, _figure(cells, pair, title)))
            for name, tokens in cells:
                for side in ("good", "bad"):
                    numbered = enumerate(tokens.pairs[pair].get(side, ()))
                    labels = {
                        "suite": tokens.suite,
                        "condition": name,
                        "model": model,
                        "paradigm": pair[0],
                        "item": pair[1],
                    }
                    rows += [
                        {**labels, "side": side, "place": place, "token": token, "logprob": logprob}
                        for place, (token, logprob) in numbered
                    ]
    if not figures:
        return
    intro = (
        "ln p of every token and its mean, under full and with tags for the rarest words. Of the stored pairs, the "
        "figure shows the one on which tags help most: an illustration, not a sample."
    )
    columns = (
        *(Column(name, name) for name in ("suite", "condition", "model", "paradigm")),
        Column("item", "item", "count"),
        Column("side", "side"),
        Column("place", "place", "count"),
        Column("token", "token"),
        Column("logprob", "ln p", "number"),
    )
    table = Table("tokens", "Token by token", columns, rows, shown=False)
    yield Section("tokens", "Token by token", intro, tuple(figures), (table,))


def _tagged_condition(analysis: Analysis) -> str | None:
    """Return the name of the condition with tags whose α is nearest to `PAPER_ALPHA`, or None."""
    alphas = {condition.name: share for condition in analysis.results.conditions if (share := alpha(condition))}
    return min(alphas, key=lambda name: abs(alphas[name] - PAPER_ALPHA), default=None)


def _selected_pair(before: Tokens, after: Tokens) -> tuple[str, int] | None:
    """Return, for the first operation with shared pairs, the pair whose difference of mean ln p increases most."""
    for operation in OPERATIONS:
        gains = {
            pair: _difference(after, pair) - _difference(before, pair)
            for pair in before.pairs
            if pair[0] == operation and all(len(tokens.pairs.get(pair, {})) == 2 for tokens in (before, after))
        }
        if gains:
            return max(gains, key=lambda pair: gains[pair])
    return None


def _difference(tokens: Tokens, pair: tuple[str, int]) -> float:
    return _mean(tokens.pairs[pair]["good"]) - _mean(tokens.pairs[pair]["bad"])


def _mean(tokens: Sequence[tuple[str, float]]) -> float:
    return sum(logprob for _, logprob in tokens) / len(tokens)


def _figure(cells: Sequence[tuple[str, Tokens]], pair: tuple[str, int], title: str) -> str:
    body: list[str] = []
    y = 8.0
    for condition, tokens in cells:
        body.append(svg_text(condition, 0, y + 10, class_="head"))
        y += 18
        for side in ("good", "bad"):
            pair_tokens = tokens.pairs[pair][side]
            body.append(svg_text("original" if side == "good" else "corrupted", 0, y + 14, class_="small muted"))
            body.append(svg_text(f"mean {formatting.number(_mean(pair_tokens))}", 0, y + 28, class_="small"))
            x = float(LEFT)
            for token, logprob in pair_tokens:
                width = max(len(token) * CHARACTER_WIDTH, 34) + 8
                if x + width > WIDTH:
                    x, y = float(LEFT), y + ROW_HEIGHT
                body.append(_token(token, logprob, x, y, width))
                x += width + 3
            y += ROW_HEIGHT + 8
        y += 8
    return drawing(body, WIDTH + 4, y, title)


def _token(token: str, logprob: float, x: float, y: float, width: float) -> str:
    shade = ("z", "n1", "n2", "n3", "n4", "n5")[sum(logprob < edge for edge in EDGES)]
    return tag(
        "g",
        tooltip(f"{token}: ln p {formatting.number(logprob)}"),
        box(x, y, width, 32, shade),
        svg_text(token, x + width / 2, y + 14, class_=f"middle on-{shade}"),
        svg_text(formatting.number(logprob), x + width / 2, y + 27, class_=f"small middle on-{shade}"),
    )


SECTIONS = {140: sections}
