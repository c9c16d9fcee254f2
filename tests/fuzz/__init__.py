"""Fuzzing of the command line with hostile and nearly valid input, under a memory limit.

A target is a module of this package that `runs.TARGETS` lists. It defines

    make(rng, folder)            write the files of one case below `folder`
    check(folder, sandbox)       run commands on a copy of these files; raise `Failure` for a wrong result

All random choices are made by `make`, so that a case can be repeated and reduced. The forked process of a command
inherits the modules that earlier commands imported.
"""
