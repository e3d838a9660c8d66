"""The program `dra-conform`, also as `python -m dra_conform`.

Ctrl-C is handled before anything else is imported: the imports of a command take most of a second.
"""

import os
import signal

_INTERRUPTED = 130


def main() -> int:
    """Run the command of the command line; return its exit code, 130 after Ctrl-C."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        # An exception could be caught or wrapped by the import that it interrupts.
        signal.signal(signal.SIGINT, lambda *_: os._exit(_INTERRUPTED))
    from dra_conform.cli import main as command  # noqa: PLC0415 - see above

    return command()


if __name__ == "__main__":
    raise SystemExit(main())
