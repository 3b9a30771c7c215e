"""Run the comparison of the judges."""

from experiments.judges.comparison import main

if __name__ == "__main__":
    main()
