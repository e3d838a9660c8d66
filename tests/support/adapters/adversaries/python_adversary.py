"""Misbehaving Python implementations: `python_adversary:Adversary`; `DRA_ADAPTER_MISBEHAVIOUR` selects the behaviour.

They only misbehave in the case `bad`, unless the behaviour says otherwise.
"""

import atexit
import builtins
import ctypes
import faulthandler
import gc
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path

from dra_conform.conformance import runner
from dra_conform.conformance.verdict import PASSED

BEHAVIOUR = os.environ["DRA_ADAPTER_MISBEHAVIOUR"]
NOTHING = {"outcome": "unallocatable"}


class OwnEnd(BaseException):
    pass


class MuteError(Exception):
    def __str__(self):
        raise OwnEnd


class Trap(dict):
    def keys(self):
        raise OwnEnd("no keys for you")

    def __iter__(self):
        raise OwnEnd("nor items")

    __len__ = __iter__


class Foul(Mapping):
    def __getitem__(self, key):
        raise LookupError("foul")

    def __iter__(self):
        raise LookupError("foul")

    def __len__(self):
        raise LookupError("foul")


def throw(error):
    raise error


def loop():
    while True:
        pass


def deaf_loop():
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    loop()


def recursion(depth=0):
    return recursion(depth + 1)


def endless_tree():
    tree = {}
    tree["outcome"] = tree
    return tree


def replace_the_judge():
    runner.judged = lambda *_, **__: PASSED
    for found in gc.get_objects():
        if "Operation" in {base.__name__ for base in type(found).__mro__}:
            type(found).judge = lambda *_, **__: PASSED
    return {"outcome": "allocated", "allocations": {}}


def child_of_its_own_session():
    subprocess.Popen(["sleep", "600"], start_new_session=True)
    return NOTHING


def daemon():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(600)
        os._exit(0)
    return NOTHING


def stays_alive():
    threading.Thread(target=loop).start()
    return NOTHING


def talk():
    for stream in (sys.stdout, sys.stderr):
        print("word " * 100_000, file=stream, flush=True)
    os.write(1, b'{"type":"result","id":2,"status":"ok"}\n')
    return NOTHING


def change(objects, how):
    how(objects)
    return NOTHING


BAD = {
    "os-exit": lambda objects: os._exit(0),
    "sys-exit": lambda objects: sys.exit(0),
    "own-base-exception": lambda objects: throw(OwnEnd("it is over")),
    "keyboard-interrupt": lambda objects: throw(KeyboardInterrupt()),
    "generator-exit": lambda objects: throw(GeneratorExit()),
    "mute-exception": lambda objects: throw(MuteError()),
    "recursion": lambda objects: recursion(),
    "exception-group": lambda objects: throw(ExceptionGroup("many", [ValueError(n) for n in range(3)])),
    "surrogate-in-error": lambda objects: throw(ValueError("half \ud800 a letter")),
    "segfault": lambda objects: ctypes.string_at(0),
    "abort": lambda objects: os.abort(),
    "killed": lambda objects: os.kill(os.getpid(), signal.SIGKILL),
    "kills-its-parent": lambda objects: (os.kill(os.getppid(), signal.SIGKILL), loop()),
    "stops-itself": lambda objects: os.kill(os.getpid(), signal.SIGSTOP),
    "loop": lambda objects: loop(),
    "deaf-loop": lambda objects: deaf_loop(),
    "closes-stdout": lambda objects: (sys.stdout.close(), os.close(1), NOTHING)[2],
    "closes-all": lambda objects: (os.closerange(3, 256), NOTHING)[1],
    "talks": lambda objects: talk(),
    "reads-stdin": lambda objects: (sys.stdin.read(), NOTHING)[1],
    "replaces-the-judge": lambda objects: replace_the_judge(),
    "replaces-builtins": lambda objects: (setattr(builtins, "len", None), NOTHING)[1],
    "child-of-its-own-session": lambda objects: child_of_its_own_session(),
    "daemon": lambda objects: daemon(),
    "stays-alive": lambda objects: stays_alive(),
    "answers-nothing": lambda objects: None,
    "answers-a-trap": lambda objects: Trap(),
    "answers-foul": lambda objects: Foul(),
    "answers-itself": lambda objects: endless_tree(),
    "answers-surrogates": lambda objects: {"outcome": "half \ud800 a letter"},
    "answers-no-json": lambda objects: {"outcome": "allocated", "allocations": {"default/c": open}},
    "answers-too-much": lambda objects: {"outcome": "unallocatable", "more": "x" * 20_000_000},
    "changes-its-input": lambda objects: change(objects, lambda found: found.clear()),
    "puts-objects-in": lambda objects: change(objects, lambda found: found["nodes"].append(object())),
    "no-descriptors": lambda objects: (resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3)), NOTHING)[1],
    "changes-folder": lambda objects: (os.chdir("/"), NOTHING)[1],
    "switches-dumps-on": lambda objects: (faulthandler.dump_traceback_later(0.01), time.sleep(0.05), NOTHING)[
        2
    ],
    "hangs-at-exit": lambda objects: (atexit.register(time.sleep, 600), NOTHING)[1],
}


class Adversary:
    def __init__(self):
        if BEHAVIOUR == "exits-at-start":
            os._exit(0)
        if BEHAVIOUR == "leaves-at-start":
            sys.exit(0)
        if BEHAVIOUR == "own-end-at-start":
            raise OwnEnd("not today")

    def allocate(self, objects, ask, profile):
        if BEHAVIOUR in BAD and any(name.endswith("/bad") for name in ask["claims"]):
            return BAD[BEHAVIOUR](objects)
        return NOTHING


if BEHAVIOUR == "exits-at-import":
    os._exit(0)
if BEHAVIOUR == "loops-at-exit":
    atexit.register(loop)
Path("loaded").touch()
