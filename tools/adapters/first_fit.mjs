#!/usr/bin/env node
// Adapter for dra-conform in JavaScript (Node 20): exec:tools/adapters/first_fit.mjs
//
// The allocator is deliberately simple, as that of first_fit.py. A request is allocated the first free devices of
// the driver that its selectors name, `device.driver == "..."`.

import { createInterface } from "node:readline";

const unsupportedFeatures = [
  "admin-access", "allocation-mode-all", "binding-conditions", "compatibility-groups", "consumable-capacity",
  "device-taints", "distinct-attribute", "list-attributes", "match-attribute", "partitionable-devices",
  "prioritized-list",
];
const about = {
  implementation: { name: "first-fit-js", version: "1.0.0", language: "javascript" },
  operations: ["allocate"],
  features: { "cel-selectors": "partial", ...Object.fromEntries(unsupportedFeatures.map((feature) => [feature, "none"])) },
  modes: { pipeline: { window: 16 } }, // readline buffers its input, so that several requests may be in flight
};
const understood = new Set(["deviceClassName", "selectors", "allocationMode", "count"]);
const key = ({ driver, pool, device }) => JSON.stringify([driver, pool, device]);
const unsupported = (message) => ({ status: "unsupported", message });

// The part to replace by a call of your own allocator.
function firstFit({ deviceClasses, resourceSlices, resourceClaims }, ask) {
  const classes = new Map(deviceClasses.map((it) => [it.metadata.name, it.spec ?? {}]));
  const claims = new Map(resourceClaims.map((it) => [`${it.metadata.namespace}/${it.metadata.name}`, it]));
  const allocated = resourceClaims.flatMap((it) => it.status?.allocation?.devices.results ?? []);
  const used = new Set(allocated.map(key));
  const devices = resourceSlices
    .filter(({ spec }) => spec.allNodes || spec.nodeName === ask.node)
    .flatMap(({ spec }) =>
      (spec.devices ?? []).map(({ name }) => ({ driver: spec.driver, pool: spec.pool.name, device: name })));
  const here = { key: "metadata.name", operator: "In", values: [ask.node] };
  const nodeSelector = { nodeSelectorTerms: [{ matchFields: [here] }] };
  const allocations = {};
  for (const name of ask.claims) {
    const results = [];
    for (const { name: request, exactly } of claims.get(name).spec.devices.requests) {
      if (!exactly || Object.keys(exactly).some((field) => !understood.has(field))) {
        return unsupported("only plain requests for whole devices");
      }
      const { deviceClassName, selectors = [], count = 1 } = exactly;
      const drivers = [...(classes.get(deviceClassName).selectors ?? []), ...selectors]
        .map(({ cel }) => cel.expression.match(/^device\.driver == "(.+)"$/)?.[1]);
      if (drivers.includes(undefined)) return unsupported("a selector may only name a driver");
      const fitting = devices.filter((it) => drivers.every((driver) => driver === it.driver));
      const free = fitting.filter((it) => !used.has(key(it)));
      if (free.length < count) { // Reasons are optional, and are compared by category.
        const taken = fitting.filter((it) => used.has(key(it)));
        const reasons = taken.map(({ device }) => ({ category: "DeviceInUse", scope: "device", subject: device }));
        reasons.push({ category: "InsufficientDevices", message: `${count} wanted, ${free.length} free` });
        return { status: "ok", outcome: "unallocatable", reasons };
      }
      for (const device of free.slice(0, count)) {
        used.add(key(device));
        results.push({ request, ...device });
      }
    }
    allocations[name] = { devices: { results }, nodeSelector };
  }
  return { status: "ok", outcome: "allocated", allocations };
}

function answer({ type, protocol, profiles, case: given }) {
  switch (type) {
    case "hello":
      return protocol.min <= 1 && 1 <= protocol.max
        ? { type, protocol: 1, ...about }
        : { type: "error", code: "protocol-version", message: "only version 1" };
    case "configure": // A profile that cannot be emulated belongs to `refused`, with a reason.
      return { type: "configured", accepted: Object.keys(profiles), refused: [] };
    case "run":
      try {
        return { type: "result", ...firstFit(given.objects, given.ask) };
      } catch (error) { // A bug of this adapter is reported, and the process continues.
        return { type: "result", status: "failed", message: String(error), traceback: error.stack };
      }
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const frame = JSON.parse(line);
  if (frame.type === "bye") break;
  process.stdout.write(JSON.stringify({ ...answer(frame), id: frame.id }) + "\n");
}
process.exit(0);
