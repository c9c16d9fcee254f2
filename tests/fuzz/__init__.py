"""Fuzzing of the command line: hostile and nearly valid input through every command, under a limit of memory.

A target is a module of this package that `runs.TARGETS` names. It has

    make(dice, folder)           write the files of one case below `folder`
    check(folder, sandbox)       run commands on a copy of these files; raise `Failure` for what must not be

Everything that is drawn comes from `dice`, and `check` draws nothing, so that a case can be run again and reduced. The forked
process of a command inherits the modules that earlier commands imported.
"""
