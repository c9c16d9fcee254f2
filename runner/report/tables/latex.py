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
    """Return the shown columns as a `tabular` with the rules of booktabs. An interval follows its value in the cell."""
    shown_grid = grid(table)
    layout = "".join("r" if head.number else "l" for head in shown_grid.heads)
    spans = [" & ".join(rf"\multicolumn{{{width}}}{{c}}{{{escaped(title)}}}" for title, width in table.spans) + r" \\"]
    lines = [
        rf"% {table.name}: \usepackage{{booktabs}}",
        rf"\begin{{tabular}}{{{layout}}}",
        r"\toprule",
        *(spans if table.spans else []),
        " & ".join(escaped(head.title) for head in shown_grid.heads) + r" \\",
        r"\midrule",
        *(" & ".join(escaped(f"{cell.text} {cell.small}".strip()) for cell in row) + r" \\" for row in shown_grid.rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    """Escape text for LaTeX, on one line. Braces keep a preceding `\\\\` from reading a leading `[` or `*`."""
    one_line = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    latex = "".join(SPECIAL.get(char, char) for char in one_line)
    return f"{{{latex}}}" if latex.startswith(("[", "*")) else latex
