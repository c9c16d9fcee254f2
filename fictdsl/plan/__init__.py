"""Query planning: relational plans of filters, their verification, cost estimates and optimization."""
