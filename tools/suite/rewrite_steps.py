"""Rewrite the steps of a suite from former words to current ones, in place: `rewrite_steps.py PATH ...`.

PATH is a file or a folder, of which all *.feature and *.yaml files are rewritten. In other files, such as
Python and Markdown, sentences and golden steps are rewritten if they are alone in a line or a string. Text
that is already rewritten stays as it is.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import yaml
from former_words import Words, words
from rewrite_features import CannotRewriteError, rewrite_feature
from rewrite_golden import rewrite_golden
from rewrite_snippets import rewrite_snippets


def rewritten(path: Path, text: str, by: Words) -> str:
    """Return the text of a file in the new words. Raises CannotRewriteError and yaml.YAMLError."""
    if path.suffix == ".feature":
        return rewrite_feature(text, by)
    if path.suffix == ".yaml":
        return rewrite_golden(text, by)
    return rewrite_snippets(text, by, python=path.suffix == ".py")


def files(path: Path) -> Iterator[Path]:
    if path.is_dir():
        yield from sorted(file for file in path.rglob("*") if file.suffix in (".feature", ".yaml"))
    else:
        yield path


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    parser.add_argument(
        "--check", action="store_true", help="print the files that would change, and write nothing"
    )
    arguments = parser.parse_args()
    failed = False
    for path in (file for path_argument in arguments.paths for file in files(path_argument)):
        try:
            text = path.read_text("utf-8")
            new = rewritten(path, text, words())
        except (OSError, UnicodeDecodeError, CannotRewriteError, yaml.YAMLError) as error:
            print(f"{path}: {error}", file=sys.stderr)
            failed = True
            continue
        if new != text:
            print(path)
            if not arguments.check:
                path.write_text(new, "utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
