"""An interpreter of rewrites that shares no code with the engine: slow, over objects, one sentence at a time."""
