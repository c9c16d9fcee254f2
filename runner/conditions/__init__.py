"""The keys of `[[condition]]`, in the order in which their interventions are applied. Each is a module of its name."""

KEYS = (
    "remove",
    "keep",
    "remove-random",
    "mask",
    "drop",
    "mask-random",
    "drop-random",
    "rewrite",
    "rewrite-random",
    "substitute",
    "perturb",
    "order",
    "balance",
    "inject",
)
