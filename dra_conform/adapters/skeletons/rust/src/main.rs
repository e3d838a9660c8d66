//! The adapter around allocator.rs: one JSON object per line on stdin and on stdout, logs on stderr.

mod allocator;

use allocator::{allocate, features, Failure};
use serde_json::{json, Value};
use std::io::{stdin, stdout, BufRead, Write};

fn main() {
    for line in stdin().lock().lines() {
        let frame: Value = serde_json::from_str(&line.expect("UTF-8")).expect("a JSON object a line");
        if frame["type"] == "bye" {
            break;
        }
        let mut answer = answer_to(&frame);
        answer["id"] = frame["id"].clone();
        let mut out = stdout().lock();
        writeln!(out, "{answer}").and_then(|()| out.flush()).expect("stdout can be written");
    }
}

fn answer_to(frame: &Value) -> Value {
    match frame["type"].as_str() {
        Some("hello") => {
            let offered = |end: &str| frame["protocol"][end].as_i64().unwrap_or(0);
            if offered("min") > 1 || offered("max") < 1 {
                return json!({"type": "error", "code": "protocol-version", "message": "only version 1"});
            }
            json!({
                "type": "hello",
                "protocol": 1,
                "implementation": {"name": "my-allocator", "version": "0.1.0", "language": "rust"},
                "operations": ["allocate"],
                "features": features(),
            })
        }
        Some("configure") => { // put a profile that you cannot emulate into "refused", with a reason
            let names: Vec<&String> = frame["profiles"].as_object().into_iter().flat_map(|all| all.keys()).collect();
            json!({"type": "configured", "accepted": names, "refused": []})
        }
        _ => result(&frame["case"]),
    }
}

fn result(case: &Value) -> Value {
    // A panic of the allocator is printed on stderr and fails this answer, not the process.
    match std::panic::catch_unwind(|| allocate(&case["objects"], &case["ask"])) {
        Ok(Ok(allocations)) => {
            json!({"type": "result", "status": "ok", "outcome": "allocated", "allocations": allocations})
        }
        Ok(Err(Failure::NothingFits)) => json!({"type": "result", "status": "ok", "outcome": "unallocatable"}),
        Ok(Err(Failure::Declined(message))) => json!({"type": "result", "status": "unsupported", "message": message}),
        Err(_) => json!({"type": "result", "status": "failed", "message": "the allocator panicked"}),
    }
}
