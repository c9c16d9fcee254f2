"""Pools of worker processes and threads, and settings of memory."""
