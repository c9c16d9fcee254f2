"""Perturbations of whole corpora, as in Kallini et al. 2024 (arXiv 2401.06416)."""
