"""Start cells: a local process pool, Slurm arrays, torchrun."""
