"""Pools of worker processes and threads, and the memory allocator."""
