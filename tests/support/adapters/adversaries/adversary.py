"""Misbehaving adapters: `adversary.py BEHAVIOUR [WINDOW]`.

They only misbehave in the case `bad`, or with a claim of that name, unless the behaviour says otherwise. So a test
sees that the fault is reported for that case and no other.
"""

import json
import os
import sys
import time

from bad_answers import BAD, endless, frame, result, sleeper, write

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


def wrong(ask):
    device = {"request": "r0", "driver": "none", "pool": "none", "device": "none"}
    return {name: {"devices": {"results": [device]}} for name in ask["claims"]}


def start(message):
    """Answer hello; return whether to continue normally."""
    if BEHAVIOUR == "never-hello":
        time.sleep(600)
    elif BEHAVIOUR == "junk-for-hello":
        write("hello world\n")
        time.sleep(600)
    elif BEHAVIOUR == "empty-hello":
        write(frame({"type": "hello", "id": 0}))
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
    elif BEHAVIOUR == "window-of-nothing":
        write(frame({**HELLO, "modes": {"pipeline": {"window": 0}}}))
    elif BEHAVIOUR == "hello-without-end":
        endless(0)
    elif BEHAVIOUR == "sleeper-at-start":
        sleeper()
        time.sleep(600)
    elif BEHAVIOUR == "claims-all":
        write(frame({**HELLO, "features": {"consumable-capacity": "full", "odd": {"support": "partial"}}}))
    else:
        write(frame(HELLO))
    if BEHAVIOUR == "dies-after-hello":
        sys.exit(6)


def is_bad(case):
    return case["caseId"] == "bad" or "default/bad" in case["ask"]["claims"]


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
    if BEHAVIOUR == "refuses-all":
        reasons = [{"profile": name, "reason": "not in the mood"} for name in names]
        return {"type": "configured", "id": message["id"], "accepted": [], "refused": reasons}
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
            if is_bad(case) and BEHAVIOUR in BAD:
                BAD[BEHAVIOUR](number)
            elif BEHAVIOUR == "crash-on-fifth" and runs == 5:
                os._exit(8)
            elif BEHAVIOUR == "crash-always" or (BEHAVIOUR == "crash-every-third" and runs == 3):
                os._exit(9)
            elif BEHAVIOUR == "fails-always":
                write(result(number, status="failed", message=f"cannot find library {number}"))
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
    if BEHAVIOUR == "sleeper-at-bye":
        sleeper()
    if BEHAVIOUR == "exit-code":
        sys.exit(3)


main()
