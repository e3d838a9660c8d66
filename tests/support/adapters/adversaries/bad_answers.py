"""What a misbehaving adapter does instead of a good answer, by the name of the behaviour."""

import json
import os
import signal
import sys
import time


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


def sleeper():
    """Start an orphaned process in its own session."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(600)
        os._exit(0)
    os.wait()


def hang_with_sleeper(number):
    sleeper()
    time.sleep(600)


def many_sleepers(number):
    for _ in range(20):
        sleeper()
    write(result(number))


def kill_the_supervisor(number):
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(600)


def hoard(number):
    chunks = []
    while True:
        chunks.append(bytearray(16 * 1024 * 1024))


def drip(number):
    while True:
        write("x")
        time.sleep(0.01)


def blank_lines(number):
    while True:
        write("\n" * 4096)


def stop_reading(number):
    write(result(number))
    time.sleep(600)


def close_all(number):
    for descriptor in (0, 1, 2):
        os.close(descriptor)
    time.sleep(600)


def nested_answer(number):
    write(result(number, reasons=0)[:-3] + "[" * 200000 + "]" * 200000 + "}\n")


def flood_of_a_judged_id(number):
    while True:
        write(result(1) * 2000)


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
    "no-line-end": lambda n: write(result(n).strip()),
    "not-utf-8": lambda n: os.write(1, b'{"type":"result","id":"\xff\xfe"}\n'),
    "not-an-object": lambda n: write("[1, 2]\n" + result(n)),
    "nested": lambda n: write("[" * 200000 + "]" * 200000 + "\n" + result(n)),
    "wrong-id": lambda n: write(result(n + 1000000)),
    "text-id": lambda n: write(result(str(n))),
    "bool-id": lambda n: write(result(True)),
    "no-id": lambda n: write(frame({"type": "result", "status": "ok", "outcome": "unallocatable"})),
    "doubled-id": lambda n: write(result(n) + result(n)),
    "flood-doubled-id": flood_of_a_judged_id,
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
    "stops-itself": lambda n: os.kill(os.getpid(), signal.SIGSTOP),
    "kills-its-supervisor": kill_the_supervisor,
    "kills-its-group": lambda n: os.killpg(0, signal.SIGKILL),
    "stops-its-supervisor": lambda n: (os.kill(os.getppid(), signal.SIGSTOP), time.sleep(600)),
    "leaves-sleeper": lambda n: (sleeper(), write(result(n))),
    "leaves-many-sleepers": many_sleepers,
    "hangs-with-sleeper": hang_with_sleeper,
    "dies-with-sleeper": lambda n: (sleeper(), os._exit(3)),
    "hoards": hoard,
    "drips": drip,
    "blank-lines": blank_lines,
    "stops-reading": stop_reading,
    "closes-all": close_all,
    "late": lambda n: (time.sleep(3), write(result(n))),
    "crlf": lambda n: write(result(n).replace("\n", "\r\n")),
    "nul": lambda n: write("\0" + result(n)),
    "byte-order-mark": lambda n: write("\ufeff" + result(n)),
    "latin-1": lambda n: os.write(1, result(n, message="?").replace("?", "\xe9").encode("latin-1")),
    "huge-id": lambda n: write(result(2**70)),
    "negative-id": lambda n: write(result(-1)),
    "fraction-id": lambda n: write(result(n + 0.5)),
    "nan": lambda n: write(result(n, steps=float("nan"))),
    "half-a-letter": lambda n: write(result(n, outcome="\ud800")),
    "nested-answer": nested_answer,
    "answers-ahead": lambda n: write(result(n) + result(n + 1)),
    "error-for-run": lambda n: write(
        frame({"type": "error", "id": n, "code": "no", "message": "I will not"})
    ),
    "null": lambda n: write("null\n"),
    "two-frames-a-line": lambda n: write(result(n).strip() + result(n)),
    "broken-pipe": lambda n: os.kill(os.getpid(), signal.SIGPIPE),
    "escapes": lambda n: write(result(n, status="failed", message="\x1b]0;title\x07\u202eabc")),
    "unknown-fields": lambda n: write(result(n, weather="fine", reasons=[{"category": "Other", "x": 1}])),
}
