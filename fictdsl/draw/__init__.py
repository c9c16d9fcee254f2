"""Draw dependency trees as text for a terminal, SVG or HTML."""
