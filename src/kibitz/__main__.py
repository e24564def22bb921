"""`python -m kibitz` is `kibitz`."""

from kibitz.cli import main

if __name__ == "__main__":
    main(prog_name="kibitz")
