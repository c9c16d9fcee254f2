"""Start cells: a local process pool, scripts of Slurm arrays, torchrun."""
