"""The tools and programs with which fictc is compared, one module each."""
