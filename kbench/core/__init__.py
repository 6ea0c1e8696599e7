"""The nouns of kbench and the one path of an attempt (`evaluate`), a module each; what stands behind them in packages.

    runs        many attempts: the plan, the processes that work on it, the folder that keeps it
    prompting   what a model is shown            generation  asking it
    extraction  from its answer to source files  likeness    whether one source is a copy of another
    profiles    times, looked at and told        scoring     what scores are made of
    hostcc      the pinned compiler and the sandbox

Plugins use the modules here and `hostcc`; the other packages may be cut anew.
"""
