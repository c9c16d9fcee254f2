"""A filter that does not say what it is about.

## What
A filter without `about "…"`, or with an empty one.

## Why
It is what `fictc explain` and the report of a run say of the filter, to people who will not read its relations.

## Example
```fict
filter f { match { N:NOUN } }
```

## Use instead
```fict
filter f {
  about "A noun."
  match { N:NOUN }
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.lint.subject import Subject
from fictdsl.syntax import nodes


def check(subject: Subject) -> Iterator[Diagnostic]:
    """Look at the metadata of every filter."""
    for item in subject.filter_items:
        texts = (entry.text.text for entry in item.metadata if isinstance(entry, nodes.Text) and entry.kind == "about")
        if not any(text.strip() for text in texts):
            yield subject.report("FICT520", item.name.span, hint='for instance `about "…"`', name=item.name.text)
