//! Replace this allocator with yours: it allocates the first free devices and only selects them by driver.

use serde_json::{json, Map, Value};
use std::collections::{BTreeMap, HashMap, HashSet};

/// What it does not support it declines: here, or with `Failure::Declined`. Both count as unsupported, not as failed.
/// When yours supports more, remove the feature from the list and the check that declines it.
const DECLINED: [&str; 21] = [
    "admin-access", "allocation-mode-all", "binding-conditions", "compatibility-groups", "configuration",
    "consumable-capacity", "consumed-capacity", "device-taints", "distinct-attribute", "extended-resources",
    "list-attributes", "match-attribute", "node-allocatable-resources", "node-selector", "partitionable-devices",
    "prioritized-list", "recorded-admin-access", "recorded-binding-conditions", "recorded-compatibility-groups",
    "recorded-tolerations", "share-id",
];

pub fn features() -> Value {
    let mut support: Map<String, Value> = DECLINED.iter().map(|one| (one.to_string(), json!("none"))).collect();
    support.insert("cel-selectors".into(), json!("partial"));
    Value::Object(support)
}

pub enum Failure {
    NothingFits,
    /// The request needs something that this allocator does not support.
    Declined(String),
}

use Failure::{Declined, NothingFits};

type Device<'a> = (&'a str, &'a str, &'a str); // driver, pool, name

/// Returns the `status.allocation` of each requested claim, of all claims or of none.
pub fn allocate(objects: &Value, ask: &Value) -> Result<Value, Failure> {
    let key = |one: &Value| format!("{}/{}", text(&one["metadata"]["namespace"]), text(&one["metadata"]["name"]));
    let classes: HashMap<&str, &Value> =
        list(&objects["deviceClasses"]).iter().map(|one| (text(&one["metadata"]["name"]), &one["spec"])).collect();
    let claims: HashMap<String, &Value> = list(&objects["resourceClaims"]).iter().map(|one| (key(one), one)).collect();
    let allocated = claims.values().flat_map(|one| list(&one["status"]["allocation"]["devices"]["results"]));
    let mut used: HashSet<Device> = // devices of allocated claims are not free
        allocated.map(|one| (text(&one["driver"]), text(&one["pool"]), text(&one["device"]))).collect();
    let node = list(&objects["nodes"]).iter().find(|one| one["metadata"]["name"] == ask["node"]);
    let devices = devices_on(&node.ok_or(NothingFits)?["metadata"], &objects["resourceSlices"])?;
    let slices = list(&objects["resourceSlices"]).iter().map(|one| &one["spec"]);
    let local: HashSet<(&str, &str)> = // pools with devices that only some nodes have
        slices.filter(|spec| spec["allNodes"] != true).map(|spec| (text(&spec["driver"]), text(&spec["pool"]["name"]))).collect();
    let here = json!({"matchFields": [{"key": "metadata.name", "operator": "In", "values": [ask["node"]]}]});
    let mut allocations = Map::new();
    for name in list(&ask["claims"]).iter().map(text) {
        let wanted = &claims[name]["spec"]["devices"];
        only(wanted, &["requests"], "a claim")?;
        let mut results = vec![];
        let mut everywhere = true;
        for request in list(&wanted["requests"]) {
            only(request, &["name", "exactly"], "a request")?;
            for found in first_free(&devices, &used, &classes, &request["exactly"])? {
                used.insert(found);
                let (driver, pool, device) = found;
                everywhere &= !local.contains(&(driver, pool));
                results.push(json!({"request": request["name"], "driver": driver, "pool": pool, "device": device}));
            }
        }
        let mut allocation = json!({"devices": {"results": results}});
        if !everywhere {
            // Only this node, also if the devices are available on more: so node-selector is in DECLINED.
            allocation["nodeSelector"] = json!({"nodeSelectorTerms": [here]});
        }
        allocations.insert(name.into(), allocation);
    }
    Ok(Value::Object(allocations))
}

fn first_free<'a>(
    devices: &[Device<'a>],
    used: &HashSet<Device<'a>>,
    classes: &HashMap<&str, &Value>,
    exactly: &Value,
) -> Result<Vec<Device<'a>>, Failure> {
    only(exactly, &["deviceClassName", "selectors", "allocationMode", "count"], "a request")?;
    let class = classes.get(text(&exactly["deviceClassName"])).ok_or(NothingFits)?;
    only(class, &["selectors"], "a class")?;
    if exactly["allocationMode"] != "ExactCount" {
        return Err(NothingFits);
    }
    let mut free: Vec<Device> = devices.iter().filter(|one| !used.contains(*one)).copied().collect();
    for selector in list(&class["selectors"]).iter().chain(list(&exactly["selectors"])) {
        let expression = text(&selector["cel"]["expression"]);
        let driver = expression.strip_prefix("device.driver == \"").and_then(|rest| rest.strip_suffix('"'));
        let driver = driver.filter(|name| !name.contains('"'));
        let driver = driver.ok_or_else(|| Declined("a selector other than device.driver == NAME".into()))?;
        free.retain(|one| one.0 == driver);
    }
    let count = exactly["count"].as_u64().unwrap_or(1) as usize;
    if free.len() < count {
        return Err(NothingFits);
    }
    free.truncate(count);
    Ok(free)
}

/// Returns the devices of the node in complete pools, from the ResourceSlices of the newest generation.
fn devices_on<'a>(node: &Value, slices: &'a Value) -> Result<Vec<Device<'a>>, Failure> {
    let mut pools: BTreeMap<(&str, &str), Vec<&Value>> = BTreeMap::new();
    for spec in list(slices).iter().map(|one| &one["spec"]) {
        only(spec, &["driver", "nodeName", "allNodes", "nodeSelector", "pool", "devices"], "a slice")?;
        pools.entry((text(&spec["driver"]), text(&spec["pool"]["name"]))).or_default().push(spec);
    }
    let mut found = vec![];
    for ((driver, pool), mut specs) in pools {
        let newest = specs.iter().filter_map(|spec| spec["pool"]["generation"].as_i64()).max();
        specs.retain(|spec| spec["pool"]["generation"].as_i64() == newest);
        let complete = specs.iter().all(|spec| spec["pool"]["resourceSliceCount"] == specs.len());
        let names: Vec<&str> =
            specs.iter().flat_map(|spec| list(&spec["devices"])).map(|device| text(&device["name"])).collect();
        if !complete || names.iter().collect::<HashSet<_>>().len() < names.len() {
            continue;
        }
        for spec in specs {
            let reached = reaches(spec, node);
            for device in list(&spec["devices"]) {
                only(device, &["name", "attributes", "capacity", "bindsToNode"], "a device")?;
                if reached {
                    found.push((driver, pool, text(&device["name"])));
                }
            }
        }
    }
    Ok(found)
}

/// Returns whether the devices of a ResourceSlice are available on a node.
fn reaches(spec: &Value, node: &Value) -> bool {
    let fields = json!({"metadata.name": node["name"]});
    let fits = |term: &Value| {
        list(&term["matchExpressions"]).iter().all(|one| met(one, &node["labels"]))
            && list(&term["matchFields"]).iter().all(|one| met(one, &fields))
    };
    spec["allNodes"] == true
        || spec["nodeName"] == node["name"]
        || list(&spec["nodeSelector"]["nodeSelectorTerms"]).iter().any(fits)
}

fn met(expression: &Value, labels: &Value) -> bool {
    let label = &labels[text(&expression["key"])];
    let listed = list(&expression["values"]).contains(label);
    match text(&expression["operator"]) {
        "In" => listed,
        "NotIn" => !listed,
        "Exists" => !label.is_null(),
        "DoesNotExist" => label.is_null(),
        other => { // Gt and Lt compare integers
            let number = |value: &Value| text(value).parse::<i64>().ok();
            let bound = list(&expression["values"]).first().and_then(number);
            let pair = number(label).zip(bound);
            pair.is_some_and(|(found, bound)| if other == "Gt" { found > bound } else { found < bound })
        }
    }
}

/// Declines a value with a field that this allocator does not know.
fn only(found: &Value, known: &[&str], what: &str) -> Result<(), Failure> {
    let more: Vec<&str> =
        found.as_object().into_iter().flat_map(Map::keys).map(String::as_str).filter(|one| !known.contains(one)).collect();
    if more.is_empty() { Ok(()) } else { Err(Declined(format!("{what} with {}", more.join(", ")))) }
}

/// Returns a list, empty if the field is missing.
fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Returns a string, empty if the field is missing.
fn text(value: &Value) -> &str {
    value.as_str().unwrap_or("")
}
