"""`python -m kbench.cli`, where the program `kbench` is not on the path."""

from kbench.cli import main

if __name__ == "__main__":
    main()
