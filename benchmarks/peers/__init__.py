"""The tools and programs that fictc is compared with, one module each."""
