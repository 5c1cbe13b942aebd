//! kafka-protocol: generated from Kafka's definitions.
//!
//! It knows bodies alone: whoever uses it reads the version in front, and names it.

use std::io::{self, BufRead, Write};

use anyhow::{Context, Result, anyhow};
use base64::{Engine, engine::general_purpose::STANDARD};
use bytes::{Buf, BufMut, Bytes, BytesMut};
use kafka_protocol::messages::{
    ConsumerProtocolAssignment, ConsumerProtocolSubscription, TopicName,
    consumer_protocol_assignment, consumer_protocol_subscription,
};
use kafka_protocol::protocol::{Decodable, Encodable, StrBytes};
use serde_json::{Value, json};

const MANIFEST: &str = include_str!("../Cargo.toml");
const NAMES: [&str; 2] = ["ConsumerProtocolSubscription", "ConsumerProtocolAssignment"];

fn main() -> Result<()> {
    for line in io::stdin().lock().lines() {
        let question: Value = serde_json::from_str(&line?)?;
        let mut said = answer(&question)
            .unwrap_or_else(|error| json!({"ok": false, "error": format!("{error:#}")}));
        said["id"] = question["id"].clone();
        writeln!(io::stdout(), "{said}")?;
    }
    Ok(())
}

fn answer(question: &Value) -> Result<Value> {
    match question["op"].as_str() {
        Some("hello") => Ok(json!({
            "ok": true, "protocol": 1, "client": "kafka-protocol", "release": release(),
            "names": NAMES, "ops": ["decode", "encode"],
        })),
        Some("decode") => decode(question),
        Some("encode") => encode(question),
        _ => Ok(json!({"ok": false, "unsupported": true, "error": "no such op"})),
    }
}

/// As the manifest pins it: a crate does not tell its version.
fn release() -> Option<&'static str> {
    let pin = MANIFEST.lines().find(|line| line.starts_with("kafka-protocol"))?;
    pin.split(['"', '=']).find(|part| part.starts_with(|c: char| c.is_ascii_digit()))
}

fn decode(question: &Value) -> Result<Value> {
    let mut data = Bytes::from(hex::decode(question["hex"].as_str().context("no hex")?)?);
    let version = data.try_get_i16()?;
    let value = if question["name"] == NAMES[0] {
        let read = ConsumerProtocolSubscription::decode(&mut data, version)?;
        let owned = read.owned_partitions.iter();
        json!({
            "topics": read.topics.iter().map(StrBytes::as_str).collect::<Vec<_>>(),
            "userData": read.user_data.map(|bytes| STANDARD.encode(bytes)),
            "ownedPartitions": owned.map(|one| entry(&one.topic, &one.partitions))
                .collect::<Vec<_>>(),
            "generationId": read.generation_id,
            "rackId": read.rack_id.as_deref(),
        })
    } else {
        let read = ConsumerProtocolAssignment::decode(&mut data, version)?;
        let assigned = read.assigned_partitions.iter();
        json!({
            "assignedPartitions": assigned.map(|one| entry(&one.topic, &one.partitions))
                .collect::<Vec<_>>(),
            "userData": read.user_data.map(|bytes| STANDARD.encode(bytes)),
        })
    };
    Ok(json!({"ok": true, "version": version, "value": value, "remainder": hex::encode(data)}))
}

fn entry(topic: &TopicName, partitions: &[i32]) -> Value {
    json!({"topic": topic.as_str(), "partitions": partitions})
}

fn encode(question: &Value) -> Result<Value> {
    let version = i16::try_from(question["version"].as_i64().context("no version")?)?;
    let value = &question["value"];
    let mut data = BytesMut::new();
    data.put_i16(version);
    if question["name"] == NAMES[0] {
        ConsumerProtocolSubscription::default()
            .with_topics(list(&value["topics"], text)?)
            .with_user_data(user_data(value)?)
            .with_owned_partitions(list(&value["ownedPartitions"], |one| {
                Ok(consumer_protocol_subscription::TopicPartition::default()
                    .with_topic(TopicName(text(&one["topic"])?))
                    .with_partitions(list(&one["partitions"], int32)?))
            })?)
            .with_generation_id(match &value["generationId"] {
                Value::Null => -1,
                given => int32(given)?,
            })
            .with_rack_id(match &value["rackId"] {
                Value::Null => None,
                given => Some(text(given)?),
            })
            .encode(&mut data, version)?;
    } else {
        ConsumerProtocolAssignment::default()
            .with_assigned_partitions(list(&value["assignedPartitions"], |one| {
                Ok(consumer_protocol_assignment::TopicPartition::default()
                    .with_topic(TopicName(text(&one["topic"])?))
                    .with_partitions(list(&one["partitions"], int32)?))
            })?)
            .with_user_data(user_data(value)?)
            .encode(&mut data, version)?;
    }
    Ok(json!({"ok": true, "hex": hex::encode(data)}))
}

fn list<T>(value: &Value, one: impl Fn(&Value) -> Result<T>) -> Result<Vec<T>> {
    value.as_array().into_iter().flatten().map(one).collect()
}

fn text(value: &Value) -> Result<StrBytes> {
    let text = value.as_str().ok_or_else(|| anyhow!("no string: {value}"))?;
    Ok(StrBytes::from_string(text.to_owned()))
}

fn int32(value: &Value) -> Result<i32> {
    let number = value.as_i64().ok_or_else(|| anyhow!("no number: {value}"))?;
    Ok(i32::try_from(number)?)
}

fn user_data(value: &Value) -> Result<Option<Bytes>> {
    let encoded = value["userData"].as_str();
    Ok(encoded.map(|text| STANDARD.decode(text)).transpose()?.map(Bytes::from))
}
