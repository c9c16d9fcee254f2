"""Respond to a search: send rows and counts after each range of sentences, and sorted pages when they are known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from runner.corpus.query.ranges import next_range
from runner.explore.processes.pool import Pool
from runner.explore.queries import search
from runner.explore.queries.query import Query
from runner.explore.server.request import ApiRequest
from runner.explore.server.response import Objects
from runner.explore.views.rows import VIEWS

if TYPE_CHECKING:
    import pyarrow as pa

PAGE, MAX_OFFSET = 50, 10**9  # rows of a page


@dataclass(frozen=True)
class _Search:
    """A search and the requested page of its results."""

    pool: Pool
    store: int
    query: Query
    view: str
    key: str
    offset: int

    @property
    def page_size(self) -> int:
        """The number of rows of a page, which is smaller with drawings."""
        return PAGE if self.view in ("kwic", "text") else PAGE // 5

    async def sorted_kept(self, kept: list[pa.Table]) -> dict[str, Any]:
        """Return a page of the sorted first matches."""
        import pyarrow as pa

        matches = pa.concat_tables(kept)
        shown = self.key, self.view, self.offset, self.page_size
        html = await self.pool.call(search.sort_page, self.store, self.query, matches, *shown)
        return {"kind": "rows", "html": html, "first": True, "sorted": matches.num_rows}

    async def sorted_all(self) -> dict[str, Any]:
        """Return a page of all matches in sorted order."""
        shown = self.key, self.view, self.offset, self.page_size
        html = await self.pool.call(search.search_sorted_page, self.store, self.query, *shown)
        return {"kind": "rows", "html": html, "first": True}


def search_endpoint(pool: Pool, request: ApiRequest) -> Objects:
    """Yield rows and counts as they become known."""
    view, key, offset = request.one_of("view", VIEWS), request.text("sort"), request.number("offset", 0, MAX_OFFSET)
    return _responses(_Search(pool, request.store, request.query, view, key, offset))


async def _responses(job: _Search) -> Objects:
    plan = await job.pool.call(search.plan_search, job.store, job.query)
    yield {"kind": "plan", "names": plan.names, "notes": plan.notes, "page": job.page_size}
    counts = {"matches": 0, "with": 0, "searched": 0, "sentences": plan.sentences, "words": plan.words}
    kept: list[pa.Table] = []
    missing, first = 0 if job.key else job.page_size, True
    while counts["searched"] < plan.sentences:
        wanted = 0 if job.key else job.offset + job.page_size
        sids = next_range(plan.ends, counts["searched"], counts["matches"], wanted)
        max_kept = search.MAX_KEPT - sum(table.num_rows for table in kept) if job.key else 0
        page = job.view, max(0, job.offset - counts["matches"]), missing, max_kept
        result = await job.pool.call(search.search_range, job.store, job.query, sids, *page)
        if result.rows:
            yield {"kind": "rows", "html": result.html, "first": first}
            missing, first = missing - result.rows, False
        if result.kept is not None:
            kept.append(result.kept)
            if max_kept <= result.matches:
                yield await job.sorted_kept(kept)
        counts |= {"searched": sids.stop}
        counts["matches"] += result.matches
        counts["with"] += result.sentences
        yield {"kind": "counts", **counts}
    if kept:
        yield await (job.sorted_kept(kept) if counts["matches"] <= search.MAX_KEPT else job.sorted_all())
    yield {"kind": "done", **counts}
