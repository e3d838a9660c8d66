#!/usr/bin/env node
// The adapter around allocator.mjs: one JSON object per line on stdin and on stdout, logs on stderr.

import { createInterface } from "node:readline";
import { about, allocate, Declined } from "./allocator.mjs";

function answer({ type, protocol, profiles, case: given }) {
  switch (type) {
    case "hello":
      return protocol.min <= 1 && 1 <= protocol.max
        ? { type, protocol: 1, ...about }
        : { type: "error", code: "protocol-version", message: "only version 1" };
    case "configure": // put a profile that you cannot emulate into `refused`, with a reason
      return { type: "configured", accepted: Object.keys(profiles), refused: [] };
    default:
      return { type: "result", ...result(given) };
  }
}

function result({ objects, ask }) {
  try {
    const allocations = allocate(objects, ask);
    if (allocations === null) return { status: "ok", outcome: "unallocatable" };
    return { status: "ok", outcome: "allocated", allocations };
  } catch (error) {
    if (error instanceof Declined) return { status: "unsupported", message: error.message };
    return { status: "failed", message: String(error), traceback: error.stack }; // report a bug and continue
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const frame = JSON.parse(line);
  if (frame.type === "bye") break;
  process.stdout.write(JSON.stringify({ ...answer(frame), id: frame.id }) + "\n");
}
process.exit(0);
