"""A GPU against the CPU: `python -m tests.cuda`, which `make test-cuda` runs, without installing or fetching anything."""
