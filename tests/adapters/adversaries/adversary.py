"""Adapters that misbehave: `adversary.py BEHAVIOUR [WINDOW]`.

All of them do as they should except in the case called `bad` (or where the behaviour says otherwise), so that
a test can see that the fault lands on that case and on no other.
"""

import json
import os
import signal
import sys
import time

BEHAVIOUR = sys.argv[1]
WINDOW = int(sys.argv[2]) if len(sys.argv) > 2 else 1

HELLO = {
    "type": "hello",
    "id": 0,
    "protocol": 1,
    "implementation": {"name": BEHAVIOUR, "version": "1"},
    "operations": ["allocate"],
    "modes": {"pipeline": {"window": WINDOW}},
}


def write(text):
    data = text.encode()
    while data:
        data = data[os.write(1, data) :]


def frame(body):
    return json.dumps(body) + "\n"


def result(number, **more):
    return frame({"type": "result", "id": number, "status": "ok", "outcome": "unallocatable", **more})


def die(number):
    os._exit(3)


def segfault(number):
    os.kill(os.getpid(), signal.SIGSEGV)


def hang(number):
    time.sleep(600)


def stubborn(number):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(600)


def child():
    pid = os.fork()
    if pid == 0:
        time.sleep(600)
        os._exit(0)
    return pid


def hang_with_child(number):
    child()
    time.sleep(600)


def die_leaving_child(number):
    os.write(2, str(child()).encode())
    os._exit(4)


def endless(number):
    while True:
        write("x" * 65536)


def flood(number):
    while True:
        write("la la la\n" * 4096)


def close_stdin(number):
    write(result(number))
    os.close(0)
    time.sleep(600)


def close_stdout(number):
    os.close(1)
    time.sleep(600)


def last_words(number):
    sys.stderr.write("out of ideas\n")
    raise RuntimeError("ouch")


BAD = {
    "exit": die,
    "segfault": segfault,
    "exception": last_words,
    "hang": hang,
    "stubborn": stubborn,
    "hang-with-child": hang_with_child,
    "leaves-child": die_leaving_child,
    "endless-line": endless,
    "flood-stdout": flood,
    "closes-stdin": close_stdin,
    "closes-stdout": close_stdout,
    "exit-after-answer": lambda n: (write(result(n)), os._exit(5)),
    "junk-before": lambda n: write("debug: here\n" + result(n)),
    "junk-after": lambda n: write(result(n) + "debug: here\n"),
    "junk-instead": lambda n: write("Traceback (most recent call last):\n"),
    "half-a-frame": lambda n: write(result(n)[:20] + "\n"),
    "not-utf-8": lambda n: os.write(1, b'{"type":"result","id":"\xff\xfe"}\n'),
    "not-an-object": lambda n: write("[1, 2]\n" + result(n)),
    "nested": lambda n: write("[" * 200000 + "]" * 200000 + "\n" + result(n)),
    "wrong-id": lambda n: write(result(n + 1000000)),
    "text-id": lambda n: write(result(str(n))),
    "bool-id": lambda n: write(result(True)),
    "no-id": lambda n: write(frame({"type": "result", "status": "ok", "outcome": "unallocatable"})),
    "doubled-id": lambda n: write(result(n) + result(n)),
    "wrong-type": lambda n: write(frame({"type": "configured", "id": n, "accepted": []})),
    "no-status": lambda n: write(frame({"type": "result", "id": n, "outcome": "unallocatable"})),
    "no-outcome": lambda n: write(frame({"type": "result", "id": n, "status": "ok"})),
    "odd-outcome": lambda n: write(result(n, outcome="perhaps")),
    "no-allocations": lambda n: write(result(n, outcome="allocated")),
    "number-as-quantity": lambda n: write(
        result(
            n,
            outcome="allocated",
            allocations={
                "default/c": {
                    "devices": {
                        "results": [
                            {
                                "request": "r0",
                                "driver": "d",
                                "pool": "p",
                                "device": "x",
                                "consumedCapacity": {"bw": 1.5},
                            }
                        ]
                    }
                }
            },
        )
    ),
    "long-frame": lambda n: write(result(n, message="x" * 2_000_000)),
    "failed": lambda n: write(result(n, status="failed", message="my own bug", traceback="line 1")),
    "unsupported": lambda n: write(result(n, status="unsupported", feature="some-feature", issue="link")),
    "unknown-fields": lambda n: write(result(n, weather="fine", reasons=[{"category": "Other", "x": 1}])),
}


def wrong(ask):
    device = {"request": "r0", "driver": "none", "pool": "none", "device": "none"}
    return {name: {"devices": {"results": [device]}} for name in ask["claims"]}


def start(message):
    """Whether to go on as usual after hello."""
    if BEHAVIOUR == "never-hello":
        time.sleep(600)
    elif BEHAVIOUR == "dies-at-start":
        sys.exit("no configuration found")
    elif BEHAVIOUR == "junk-before-hello":
        write("Welcome!\n" + frame(HELLO))
    elif BEHAVIOUR == "bad-hello":
        write(frame({**HELLO, "implementation": {"name": "x"}}))
    elif BEHAVIOUR == "other-protocol":
        write(frame({**HELLO, "protocol": 2}))
    elif BEHAVIOUR == "result-for-hello":
        write(result(0))
    elif BEHAVIOUR == "protocol-error":
        write(frame({"type": "error", "id": 0, "code": "protocol-version", "message": "only 7"}))
    elif BEHAVIOUR == "claims-all":
        write(frame({**HELLO, "features": {"consumable-capacity": "full", "odd": {"support": "partial"}}}))
    else:
        write(frame(HELLO))
    if BEHAVIOUR == "dies-after-hello":
        sys.exit(6)


def configured(message):
    names = list(message["profiles"])
    if BEHAVIOUR == "dies-at-configure":
        os._exit(7)
    if BEHAVIOUR == "hangs-at-configure":
        time.sleep(600)
    if BEHAVIOUR == "refuses":
        refused = [name for name in names if message["profiles"][name]["name"] != "kep"]
        reasons = [{"profile": name, "reason": "not that release"} for name in refused]
        accepted = [name for name in names if name not in refused]
        return {"type": "configured", "id": message["id"], "accepted": accepted, "refused": reasons}
    if BEHAVIOUR == "forgets-profiles":
        return {"type": "configured", "id": message["id"], "accepted": []}
    if BEHAVIOUR == "error-at-configure":
        return {"type": "error", "id": message["id"], "code": "no", "message": "cannot do that"}
    return {"type": "configured", "id": message["id"], "accepted": names}


def main():
    runs = 0
    waiting = []
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if message["type"] == "hello":
            start(message)
        elif message["type"] == "configure":
            write(frame(configured(message)))
        elif message["type"] == "bye":
            break
        else:
            runs += 1
            number, case = message["id"], message["case"]
            if case["caseId"] == "bad" and BEHAVIOUR in BAD:
                BAD[BEHAVIOUR](number)
            elif BEHAVIOUR == "crash-on-fifth" and runs == 5:
                os._exit(8)
            elif BEHAVIOUR == "crash-always" or (BEHAVIOUR == "crash-every-third" and runs == 3):
                os._exit(9)
            elif BEHAVIOUR == "flood-stderr":
                os.write(2, b"complaint " * 30000)
                write(result(number))
            elif BEHAVIOUR == "big-answers":
                write(result(number, message="y" * 500_000))
            elif BEHAVIOUR == "always-wrong":
                write(result(number, outcome="allocated", allocations=wrong(case["ask"])))
            elif BEHAVIOUR == "claims-all":
                write(result(number, status="unsupported", feature="consumable-capacity"))
            elif BEHAVIOUR == "out-of-order":
                waiting.append(number)
                if len(waiting) == WINDOW or case["caseId"] == "last":
                    write("".join(result(number) for number in reversed(waiting)))
                    waiting.clear()
            else:
                write(result(number))
    if BEHAVIOUR == "after-bye":
        write(result(99) + "and another thing\n")
    if BEHAVIOUR == "ignores-bye":
        time.sleep(600)
    if BEHAVIOUR == "exit-code":
        sys.exit(3)


main()
