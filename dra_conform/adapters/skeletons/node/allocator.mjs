// Replace this allocator with yours: it allocates the first free devices and only selects them by driver.

// What it does not support it declines: here, or by throwing Declined. Both count as unsupported, not as failed.
// When yours supports more, remove the feature from the list and the check that declines it.
const declined = [
  "admin-access", "allocation-mode-all", "binding-conditions", "compatibility-groups", "configuration",
  "consumable-capacity", "consumed-capacity", "device-taints", "distinct-attribute", "extended-resources",
  "list-attributes", "match-attribute", "node-allocatable-resources", "node-selector", "partitionable-devices",
  "prioritized-list", "recorded-admin-access", "recorded-binding-conditions", "recorded-compatibility-groups",
  "recorded-tolerations", "share-id",
];
export const about = {
  implementation: { name: "my-allocator", version: "0.1.0", language: "javascript" },
  operations: ["allocate"],
  features: { "cel-selectors": "partial", ...Object.fromEntries(declined.map((feature) => [feature, "none"])) },
};

export class Declined extends Error {}

// Returns the `status.allocation` of each claim in `ask.claims` on the node `ask.node`, or null if one does not fit.
export function allocate({ nodes, deviceClasses = [], resourceSlices = [], resourceClaims = [] }, ask) {
  const classes = new Map(deviceClasses.map((one) => [one.metadata.name, one.spec ?? {}]));
  const claims = new Map(resourceClaims.map((one) => [`${one.metadata.namespace}/${one.metadata.name}`, one]));
  const node = nodes.find((one) => one.metadata.name === ask.node).metadata;
  const allocated = resourceClaims.flatMap((one) => one.status?.allocation?.devices?.results ?? []);
  const used = new Set(allocated.map(key)); // devices of allocated claims are not free
  const devices = devicesOn(node, resourceSlices);
  const poolOf = ({ driver, pool }) => JSON.stringify([driver, pool]);
  const local = new Set(resourceSlices.filter(({ spec }) => !spec.allNodes)
    .map(({ spec: { driver, pool } }) => poolOf({ driver, pool: pool.name })));
  const allocations = {};
  for (const name of ask.claims) {
    const { devices: wanted } = claims.get(name).spec;
    only(wanted, ["requests"], `claim ${name}`);
    const results = [];
    for (const request of wanted.requests ?? []) {
      only(request, ["name", "exactly"], `request ${request.name}`);
      const { deviceClassName, selectors = [], allocationMode, count = 1, ...more } = request.exactly;
      only(more, [], `request ${request.name}`);
      if (!classes.has(deviceClassName) || allocationMode !== "ExactCount") return null;
      const drivers = driversOf([...(selectorsOf(classes.get(deviceClassName))), ...selectors]);
      const free = devices.filter((one) => !used.has(key(one)) && drivers.every((it) => it === one.driver));
      if (free.length < count) return null;
      for (const device of free.slice(0, count)) {
        used.add(key(device));
        results.push({ request: request.name, ...device });
      }
    }
    const here = { matchFields: [{ key: "metadata.name", operator: "In", values: [ask.node] }] };
    allocations[name] = { devices: { results } };
    if (results.some((one) => local.has(poolOf(one)))) {
      // Only this node, also if the devices are available on more: so node-selector is declined.
      allocations[name].nodeSelector = { nodeSelectorTerms: [here] };
    }
  }
  return allocations;
}

// Returns the devices of the node in complete pools, from the ResourceSlices of the newest generation.
function devicesOn(node, slices) {
  const pools = new Map();
  for (const { spec } of slices) {
    only(spec, ["driver", "nodeName", "allNodes", "nodeSelector", "pool", "devices"], "a slice");
    const pool = JSON.stringify([spec.driver, spec.pool.name]);
    pools.set(pool, [...(pools.get(pool) ?? []), spec]);
  }
  return [...pools.values()].flatMap((specs) => {
    const newest = Math.max(...specs.map(({ pool }) => pool.generation));
    const current = specs.filter(({ pool }) => pool.generation === newest);
    const names = current.flatMap(({ devices = [] }) => devices.map(({ name }) => name));
    const complete = current.every(({ pool }) => pool.resourceSliceCount === current.length);
    if (!complete || new Set(names).size < names.length) return [];
    return current.filter((spec) => reaches(spec, node)).flatMap(({ driver, pool, devices = [] }) =>
      devices.map((device) => {
        only(device, ["name", "attributes", "capacity", "bindsToNode"], `device ${device.name}`);
        return { driver, pool: pool.name, device: device.name };
      }));
  });
}

// Returns whether the devices of a ResourceSlice are available on a node.
function reaches({ allNodes, nodeName, nodeSelector }, { name, labels = {} }) {
  const terms = nodeSelector?.nodeSelectorTerms ?? [];
  return allNodes || nodeName === name || terms.some(({ matchExpressions = [], matchFields = [] }) =>
    matchExpressions.every((one) => met(one, labels)) &&
    matchFields.every((one) => met(one, { "metadata.name": name })));
}

function met({ key, operator, values }, labels) {
  switch (operator) {
    case "In": return values.includes(labels[key]);
    case "NotIn": return !values.includes(labels[key]);
    case "Exists": return key in labels;
    case "DoesNotExist": return !(key in labels);
    case "Gt": return Number(labels[key]) > Number(values[0]);
    case "Lt": return Number(labels[key]) < Number(values[0]);
  }
}

function selectorsOf(ofClass) {
  only(ofClass, ["selectors"], "a class");
  return ofClass.selectors ?? [];
}

function driversOf(selectors) {
  return selectors.map(({ cel }) => {
    const named = cel.expression.match(/^device\.driver == "([a-z0-9.-]+)"$/);
    if (!named) throw new Declined("a selector other than device.driver == NAME");
    return named[1];
  });
}

function key({ driver, pool, device }) {
  return JSON.stringify([driver, pool, device]);
}

// Throws Declined if a value has a field that this allocator does not know.
function only(found, known, what) {
  const more = Object.keys(found).filter((field) => !known.includes(field));
  if (more.length) throw new Declined(`${what} with ${more.join(", ")}`);
}
