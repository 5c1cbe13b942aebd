//! An adapter: it answers the questions of `kproto conform` with the two calls in calls.rs.

mod calls;

use std::io::{self, BufRead, Write};

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Map, Value, json};

/// The fields of both messages. `None` is a field that your client does not show; `Some(None)` is
/// null.
#[derive(Default)]
pub struct Message {
    /// The number that stands in the bytes.
    pub version: Option<i16>,
    pub topics: Option<Vec<String>>,
    pub user_data: Option<Option<Vec<u8>>>,
    pub owned_partitions: Option<Vec<Partitions>>,
    pub generation_id: Option<i32>,
    pub rack_id: Option<Option<String>>,
    pub assigned_partitions: Option<Vec<Partitions>>,
    /// The bytes that were left unread.
    pub remainder: Option<Vec<u8>>,
}

/// Partitions of one topic.
pub struct Partitions {
    pub topic: String,
    pub partitions: Vec<i32>,
}

/// Why there is no message, or no bytes.
pub enum Failure {
    /// The client refuses them.
    Refused(String),
    /// The client has no way to do it.
    Unsupported(String),
}

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Failure::Refused(error.to_string())
    }
}

fn main() -> io::Result<()> {
    for line in io::stdin().lock().lines() {
        let question: Value = serde_json::from_str(&line?)?;
        let mut reply = match answer(&question) {
            Ok(reply) => reply,
            Err(Failure::Refused(error)) => json!({"ok": false, "error": error}),
            Err(Failure::Unsupported(error)) => {
                json!({"ok": false, "unsupported": true, "error": error})
            }
        };
        reply["id"] = question["id"].clone();
        writeln!(io::stdout(), "{reply}")?;
    }
    Ok(())
}

fn answer(question: &Value) -> Result<Value, Failure> {
    let name = question["name"].as_str().unwrap_or_default();
    match question["op"].as_str() {
        Some("hello") => Ok(json!({
            "ok": true, "protocol": 1, "client": calls::CLIENT, "release": calls::RELEASE,
            "names": calls::NAMES, "ops": ["decode", "encode"],
        })),
        Some("decode") => {
            let data = hex::decode(question["hex"].as_str().unwrap_or_default())?;
            Ok(shown(calls::decode(name, &data)?))
        }
        Some("encode") => {
            let version = question["version"].as_i64().unwrap_or_default() as i16;
            let data = calls::encode(name, version, message(&question["value"])?)?;
            Ok(json!({"ok": true, "hex": hex::encode(data)}))
        }
        _ => Err(Failure::Unsupported("no such op".into())),
    }
}

fn shown(message: Message) -> Value {
    let mut value = Map::new();
    let mut show = |name: &str, field: Option<Value>| {
        if let Some(field) = field {
            value.insert(name.into(), field);
        }
    };
    show("topics", message.topics.map(|topics| json!(topics)));
    show("userData", message.user_data.map(|data| json!(data.map(|it| STANDARD.encode(it)))));
    show("ownedPartitions", message.owned_partitions.map(entries));
    show("generationId", message.generation_id.map(|generation| json!(generation)));
    show("rackId", message.rack_id.map(|rack| json!(rack)));
    show("assignedPartitions", message.assigned_partitions.map(entries));
    let mut reply = json!({"ok": true, "value": value});
    if let Some(version) = message.version {
        reply["version"] = json!(version);
    }
    if let Some(remainder) = message.remainder {
        reply["remainder"] = json!(hex::encode(remainder));
    }
    reply
}

fn entries(items: Vec<Partitions>) -> Value {
    let entry = |item: Partitions| json!({"topic": item.topic, "partitions": item.partitions});
    items.into_iter().map(entry).collect()
}

fn message(value: &Value) -> Result<Message, Failure> {
    let user_data = value["userData"].as_str().map(|text| STANDARD.decode(text)).transpose()?;
    Ok(Message {
        topics: Some(list(&value["topics"], |it| Ok(text(it)))?),
        user_data: Some(user_data),
        owned_partitions: Some(list(&value["ownedPartitions"], partitions)?),
        generation_id: Some(value.get("generationId").map_or(Ok(-1), int32)?),
        rack_id: Some(value["rackId"].as_str().map(str::to_owned)),
        assigned_partitions: Some(list(&value["assignedPartitions"], partitions)?),
        ..Message::default()
    })
}

fn list<T>(value: &Value, item: fn(&Value) -> Result<T, Failure>) -> Result<Vec<T>, Failure> {
    value.as_array().into_iter().flatten().map(item).collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn int32(value: &Value) -> Result<i32, Failure> {
    let number = value.as_i64().and_then(|number| i32::try_from(number).ok());
    number.ok_or_else(|| Failure::Refused(format!("{value} is no int32")))
}

fn partitions(value: &Value) -> Result<Partitions, Failure> {
    Ok(Partitions { topic: text(&value["topic"]), partitions: list(&value["partitions"], int32)? })
}
