"""`fictc test`: run the examples of filters, and accept corpus sentences as examples."""
