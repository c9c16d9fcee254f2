"""Respond to a search. Send rows and counts after each range of sentences, and sorted pages when they are known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from runner.corpus.query.groups.sorted_matches import seed_of
from runner.corpus.query.ranges import next_range
from runner.explore.processes.pool import Pool
from runner.explore.queries import search
from runner.explore.queries.query import Query
from runner.explore.server.request import ApiRequest
from runner.explore.server.response import Objects
from runner.explore.views.rows import VIEWS

if TYPE_CHECKING:
    import pyarrow as pa

PAGE_ROWS, MAX_OFFSET = 50, 10**9  # rows of a page, and the maximum index of its first row


@dataclass(frozen=True)
class _Search:
    """A search and the requested page of its results."""

    pool: Pool
    store_index: int
    query: Query
    view: str
    sort_key: str
    offset: int

    @property
    def page_size(self) -> int:
        """The number of rows of a page, which is smaller with drawings."""
        return PAGE_ROWS if self.view in ("kwic", "text") else PAGE_ROWS // 5

    async def kept_page(self, kept: list[pa.Table]) -> dict[str, Any]:
        """Return a page of the matches kept so far, in sorted order."""
        import pyarrow as pa

        matches = pa.concat_tables(kept)
        page_options = self.sort_key, self.view, self.offset, self.page_size
        html = await self.pool.call(search.sort_page, self.store_index, self.query, matches, *page_options)
        return {"kind": "rows", "html": html, "first": True, "sorted": matches.num_rows}

    async def full_page(self) -> dict[str, Any]:
        """Return a page of all matches in sorted order."""
        page_options = self.sort_key, self.view, self.offset, self.page_size
        html = await self.pool.call(search.search_sorted_page, self.store_index, self.query, *page_options)
        return {"kind": "rows", "html": html, "first": True}


def search_endpoint(pool: Pool, request: ApiRequest) -> Objects:
    """Yield rows and counts as they become known."""
    view, sort_key = request.one_of("view", VIEWS), request.text("sort")
    offset = request.number("offset", 0, MAX_OFFSET)
    return _responses(_Search(pool, request.store, request.query, view, sort_key, offset))


async def _responses(current_search: _Search) -> Objects:
    plan = await current_search.pool.call(search.plan_search, current_search.store_index, current_search.query)
    facts = {"names": plan.names, "key": plan.key, "notes": plan.notes}
    yield {"kind": "plan", **facts, "page_size": current_search.page_size}
    counts = {"matches": 0, "matching_sentences": 0, "searched": 0, "sentences": plan.sentences, "words": plan.words}
    kept: list[pa.Table] = []
    missing_rows, first = 0 if current_search.sort_key else current_search.page_size, True
    while counts["searched"] < plan.sentences:
        wanted_matches = 0 if current_search.sort_key else current_search.offset + current_search.page_size
        sids = next_range(plan.ends, counts["searched"], counts["matches"], wanted_matches)
        max_kept = search.MAX_KEPT - sum(table.num_rows for table in kept) if current_search.sort_key else 0
        range_options = current_search.view, max(0, current_search.offset - counts["matches"]), missing_rows, max_kept
        result = await current_search.pool.call(
            search.search_range, current_search.store_index, current_search.query, sids, *range_options
        )
        if result.rows:
            yield {"kind": "rows", "html": result.html, "first": first}
            missing_rows, first = missing_rows - result.rows, False
        if result.kept is not None:
            kept.append(result.kept)
            if max_kept <= result.matches and seed_of(current_search.sort_key) is None:  # else all have to be known
                yield await current_search.kept_page(kept)
        counts |= {"searched": sids.stop}
        counts["matches"] += result.matches
        counts["matching_sentences"] += result.sentences
        yield {"kind": "counts", **counts}
    if kept:
        yield await (
            current_search.kept_page(kept) if counts["matches"] <= search.MAX_KEPT else current_search.full_page()
        )
    yield {"kind": "done", **counts}
