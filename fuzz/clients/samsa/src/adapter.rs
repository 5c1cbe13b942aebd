//! samsa: its requests and responses, which have the two messages inside.
//!
//! Its leader does not read what members subscribe to, and gives all the same topics: there is
//! nothing that decodes a subscription.

use std::io::{self, BufRead, Write};

use anyhow::{Context, Result, anyhow};
use base64::{Engine, engine::general_purpose::STANDARD};
use bytes::{BufMut, Bytes, BytesMut};
use samsa::prelude::encode::ToByte;
use samsa::prelude::protocol::SyncGroupResponse;
use samsa::prelude::protocol::join_group::request::Metadata;
use samsa::prelude::protocol::sync_group::request::{MemberAssignment, PartitionAssignment};
use serde_json::{Value, json};

const MANIFEST: &str = include_str!("../Cargo.toml");
const NAMES: [&str; 2] = ["ConsumerProtocolSubscription", "ConsumerProtocolAssignment"];

fn main() -> Result<()> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let question: Value = serde_json::from_str(&line?)?;
        let mut said =
            answer(&question).unwrap_or_else(|why| json!({"ok": false, "error": why.to_string()}));
        said["id"] = question["id"].clone();
        writeln!(out, "{said}")?;
        out.flush()?;
    }
    Ok(())
}

fn answer(question: &Value) -> Result<Value> {
    match question["op"].as_str() {
        Some("hello") => Ok(json!({
            "ok": true, "protocol": 1, "client": "samsa", "release": release(),
            "names": NAMES, "ops": ["decode", "encode"],
        })),
        Some("decode") if question["name"] == NAMES[0] => {
            Ok(unsupported("its leader reads no subscription"))
        }
        Some("decode") => decode(question),
        Some("encode") => encode(question),
        _ => Ok(unsupported("no such op")),
    }
}

fn unsupported(what: &str) -> Value {
    json!({"ok": false, "unsupported": true, "error": what})
}

/// As the manifest pins it: a crate does not tell its version.
fn release() -> Option<&'static str> {
    let pin = MANIFEST.lines().find(|line| line.starts_with("samsa"))?;
    pin.split(['"', '=']).find(|part| part.starts_with(|c: char| c.is_ascii_digit()))
}

fn decode(question: &Value) -> Result<Value> {
    let data = hex::decode(question["hex"].as_str().context("no hex")?)?;
    let mut response = BytesMut::new();
    response.put_i32(0); // the correlation id
    response.put_i32(0); // the throttle time
    response.put_i16(0); // no error
    response.put_i32(i32::try_from(data.len())?);
    response.put_slice(&data);
    let read = SyncGroupResponse::try_from(response.freeze()).map_err(|why| anyhow!("{why:?}"))?;
    let assigned = read.assignment.partition_assignments.iter().map(|one| {
        json!({"topic": String::from_utf8_lossy(&one.topic_name), "partitions": one.partitions})
    });
    Ok(json!({"ok": true, "version": read.assignment.version, "value": {
        "assignedPartitions": assigned.collect::<Vec<_>>(),
        "userData": read.assignment.user_data.map(|bytes| STANDARD.encode(bytes)),
    }}))
}

fn encode(question: &Value) -> Result<Value> {
    let version = i16::try_from(question["version"].as_i64().context("no version")?)?;
    let value = &question["value"];
    let user_data = match value["userData"].as_str() {
        None => None,
        Some(text) => Some(Bytes::from(STANDARD.decode(text)?)),
    };
    let mut data = Vec::new();
    let written = if question["name"] == NAMES[0] {
        let newer = ["ownedPartitions", "rackId"];
        if newer.iter().any(|key| !empty(&value[*key])) || value["generationId"].as_i64() > Some(-1)
        {
            return Ok(unsupported("has the fields of version 0 alone"));
        }
        let subscription = list(&value["topics"], text)?;
        Metadata { version, subscription, user_data }.encode(&mut data)
    } else {
        let partition_assignments = list(&value["assignedPartitions"], |one| {
            let partitions = list(&one["partitions"], int32)?;
            Ok(PartitionAssignment { topic_name: text(&one["topic"])?, partitions })
        })?;
        MemberAssignment { version, partition_assignments, user_data }.encode(&mut data)
    };
    written.map_err(|why| anyhow!("{why:?}"))?;
    Ok(json!({"ok": true, "hex": hex::encode(data)}))
}

fn empty(value: &Value) -> bool {
    value.as_array().map_or(value.is_null(), Vec::is_empty)
}

fn list<'a, T>(value: &'a Value, one: impl Fn(&'a Value) -> Result<T>) -> Result<Vec<T>> {
    value.as_array().into_iter().flatten().map(one).collect()
}

fn text(value: &Value) -> Result<&str> {
    value.as_str().ok_or_else(|| anyhow!("no string: {value}"))
}

fn int32(value: &Value) -> Result<i32> {
    let number = value.as_i64().ok_or_else(|| anyhow!("no number: {value}"))?;
    Ok(i32::try_from(number)?)
}
