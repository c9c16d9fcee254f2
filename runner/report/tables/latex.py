"""Tables in LaTeX, with the columns that the page shows."""

from __future__ import annotations

from runner.report.tables.display import grid
from runner.report.tables.table import Table

SPECIAL = {
    **{char: f"\\{char}" for char in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "−": "$-$",
    "±": r"$\pm$",
    "×": r"$\times$",
    "Δ": r"$\Delta$",
    "α": r"$\alpha$",
    "<": "$<$",
    ">": "$>$",
    "▾": r"$\downarrow$",
    "▴": r"$\uparrow$",
    "–": "--",
}


def to_latex(table: Table) -> str:
    """Return the shown columns as a `tabular` with the rules of booktabs. Intervals follow their value."""
    shown = grid(table)
    layout = "".join("r" if head.number else "l" for head in shown.heads)
    spans = [" & ".join(rf"\multicolumn{{{width}}}{{c}}{{{escaped(title)}}}" for title, width in table.spans) + r" \\"]
    lines = [
        rf"% {table.name}: \usepackage{{booktabs}}",
        rf"\begin{{tabular}}{{{layout}}}",
        r"\toprule",
        *(spans if table.spans else []),
        " & ".join(escaped(head.title) for head in shown.heads) + r" \\",
        r"\midrule",
        *(" & ".join(escaped(f"{cell.text} {cell.small}".strip()) for cell in row) + r" \\" for row in shown.rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    """Escape text for LaTeX, on one line. A leading `[` or `*` is protected: `\\\\` takes it as an argument."""
    plain = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    shown = "".join(SPECIAL.get(char, char) for char in plain)
    return f"{{{shown}}}" if shown.startswith(("[", "*")) else shown
