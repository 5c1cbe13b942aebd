//! krafka: the functions with which its consumer and its admin client read and write these bytes.
//!
//! The crate has them public for its own fuzz targets alone, under the feature `internal`.

use std::error::Error;
use std::io::{self, BufRead, Write};

use base64::{Engine, engine::general_purpose::STANDARD};
use bytes::Bytes;
use krafka::__private::protocol::{
    ConsumerProtocolAssignment, ConsumerProtocolSubscription, ConsumerProtocolTopicPartitions,
    decode_consumer_protocol_assignment, decode_consumer_protocol_subscription,
    encode_consumer_protocol_assignment, encode_consumer_protocol_subscription,
};
use serde_json::{Value, json};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const MANIFEST: &str = include_str!("../Cargo.toml");
const NAMES: [&str; 2] = ["ConsumerProtocolSubscription", "ConsumerProtocolAssignment"];

fn main() -> Result<()> {
    for line in io::stdin().lock().lines() {
        let question: Value = serde_json::from_str(&line?)?;
        let mut answer = answer_to(&question)
            .unwrap_or_else(|error| json!({"ok": false, "error": format!("KrafkaError: {error}")}));
        answer["id"] = question["id"].clone();
        writeln!(io::stdout(), "{answer}")?;
    }
    Ok(())
}

fn answer_to(question: &Value) -> Result<Value> {
    match question["op"].as_str() {
        Some("hello") => Ok(json!({
            "ok": true, "protocol": 1, "client": "krafka", "release": release(),
            "names": NAMES, "ops": ["decode", "encode"],
        })),
        Some("decode") => decode(question),
        Some("encode") => encode(question),
        _ => Ok(json!({"ok": false, "unsupported": true, "error": "no such op"})),
    }
}

/// As the manifest pins it: a crate does not tell its version.
fn release() -> Option<&'static str> {
    let pin = MANIFEST.lines().find(|line| line.starts_with("krafka ="))?;
    pin.split(['"', '=']).find(|part| part.starts_with(|c: char| c.is_ascii_digit()))
}

fn decode(question: &Value) -> Result<Value> {
    let data = Bytes::from(hex::decode(question["hex"].as_str().ok_or("no hex")?)?);
    let (version, value) = if question["name"] == NAMES[0] {
        let read = decode_consumer_protocol_subscription(&data)?;
        let value = json!({
            "topics": read.topics,
            "userData": read.user_data.map(|bytes| STANDARD.encode(bytes)),
            "ownedPartitions": entries(&read.owned_partitions),
            "generationId": read.generation_id,
            "rackId": read.rack_id,
        });
        (read.version, value)
    } else {
        let read = decode_consumer_protocol_assignment(&data)?;
        let value = json!({
            "assignedPartitions": entries(&read.assigned_partitions),
            "userData": read.user_data.map(|bytes| STANDARD.encode(bytes)),
        });
        (read.version, value)
    };
    Ok(json!({"ok": true, "version": version, "value": value}))
}

fn entries(topics: &[ConsumerProtocolTopicPartitions]) -> Vec<Value> {
    let entry = |item: &ConsumerProtocolTopicPartitions| {
        json!({"topic": item.topic, "partitions": item.partitions})
    };
    topics.iter().map(entry).collect()
}

fn encode(question: &Value) -> Result<Value> {
    let version = i16::try_from(question["version"].as_i64().ok_or("no version")?)?;
    let value = &question["value"];
    let user_data = value["userData"].as_str();
    let user_data = user_data.map(|text| STANDARD.decode(text)).transpose()?.map(Bytes::from);
    let mut data = Vec::new();
    if question["name"] == NAMES[0] {
        let subscription = ConsumerProtocolSubscription {
            version,
            topics: list(&value["topics"], text)?,
            user_data,
            owned_partitions: list(&value["ownedPartitions"], topic_partitions)?,
            generation_id: match &value["generationId"] {
                Value::Null => -1,
                number => int32(number)?,
            },
            rack_id: value["rackId"].as_str().map(str::to_owned),
        };
        encode_consumer_protocol_subscription(&subscription, &mut data)?;
    } else {
        let assigned_partitions = list(&value["assignedPartitions"], topic_partitions)?;
        let assignment = ConsumerProtocolAssignment { version, assigned_partitions, user_data };
        encode_consumer_protocol_assignment(&assignment, &mut data)?;
    }
    Ok(json!({"ok": true, "hex": hex::encode(data)}))
}

fn topic_partitions(value: &Value) -> Result<ConsumerProtocolTopicPartitions> {
    let partitions = list(&value["partitions"], int32)?;
    Ok(ConsumerProtocolTopicPartitions { topic: text(&value["topic"])?, partitions })
}

fn list<T>(value: &Value, read: impl Fn(&Value) -> Result<T>) -> Result<Vec<T>> {
    value.as_array().into_iter().flatten().map(read).collect()
}

fn text(value: &Value) -> Result<String> {
    Ok(value.as_str().ok_or_else(|| format!("no string: {value}"))?.to_owned())
}

fn int32(value: &Value) -> Result<i32> {
    let number = value.as_i64().ok_or_else(|| format!("no number: {value}"))?;
    Ok(i32::try_from(number)?)
}
