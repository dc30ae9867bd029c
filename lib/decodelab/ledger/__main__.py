"""Print the ledger: `python -m decodelab.ledger [--lecture NAME] [--json]`.

Exits with 1 if a row is wrong.
"""

import argparse
import sys

from decodelab.ledger import lectures, rows
from decodelab.ledger.tables import as_json, as_table


def main(arguments: list[str] | None = None) -> int:
    """Parse the command line, print the rows, return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m decodelab.ledger", description=__doc__.splitlines()[0])
    parser.add_argument("--lecture", choices=lectures(), help="only this lecture's rows")
    parser.add_argument("--json", action="store_true", help="a JSON list of objects, for programs")
    options = parser.parse_args(arguments)
    computed = list(rows(options.lecture))
    print(as_json(computed) if options.json else as_table(computed))
    return int(any(row.status == "wrong" for row in computed))


if __name__ == "__main__":
    sys.exit(main())
