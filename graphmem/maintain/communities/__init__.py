"""Which names belong together: found anew or followed, written, ranked and summed up."""
