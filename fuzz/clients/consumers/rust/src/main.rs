//! rdkafka, driven: see driven_consumer.py for what is said and heard.

use std::env;
use std::error::Error;
use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread;
use std::time::Duration;

use rdkafka::client::ClientContext;
use rdkafka::config::{ClientConfig, RDKafkaLogLevel};
use rdkafka::consumer::{BaseConsumer, Consumer, ConsumerContext, RebalanceProtocol};
use rdkafka::error::KafkaResult;
use rdkafka::topic_partition_list::TopicPartitionList;
use rdkafka::types::RDKafkaRespErr;
use rdkafka::util::get_rdkafka_version;
use serde_json::{Map, Value, from_str, json};

const TURN: Duration = Duration::from_millis(1);

/// What the library calls; it has written so many lines of the log.
struct Heard(AtomicUsize);

impl ClientContext for Heard {
    fn log(&self, level: RDKafkaLogLevel, fac: &str, message: &str) {
        let _ = writeln!(io::stderr(), "%{}|0|{fac}|rdkafka| {message}", level as i32);
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

impl ConsumerContext for Heard {
    fn rebalance(
        &self,
        consumer: &BaseConsumer<Self>,
        code: RDKafkaRespErr,
        partitions: &mut TopicPartitionList,
    ) {
        let cooperative = matches!(
            consumer.rebalance_protocol(),
            RebalanceProtocol::Cooperative
        );
        if code == RDKafkaRespErr::RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS {
            let taken = if cooperative {
                consumer.incremental_assign(partitions)
            } else {
                consumer.assign(partitions)
            };
            say(&match taken {
                Ok(()) => json!({"assigned": listed(partitions)}),
                Err(error) => json!({"refused": error.to_string()}),
            });
        } else if cooperative {
            let _ = consumer.incremental_unassign(partitions);
        } else {
            let _ = consumer.unassign();
        }
    }
}

fn listed(partitions: &TopicPartitionList) -> Vec<(String, i32)> {
    let elements = partitions.elements();
    elements
        .iter()
        .map(|each| (each.topic().to_owned(), each.partition()))
        .collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let settings: Map<String, Value> = from_str(&env::args().next_back().unwrap_or_default())?;
    let mut config = ClientConfig::new();
    for (name, value) in &settings {
        config.set(name, value.as_str().unwrap_or_default());
    }
    config.set_log_level(RDKafkaLogLevel::Debug);
    let consumer: BaseConsumer<Heard> = config.create_with_context(Heard(AtomicUsize::new(0)))?;
    let (_, release) = get_rdkafka_version();
    say(&json!({"client": "librdkafka (rdkafka)", "release": release, "log": "late"}));
    let commands = heard();
    loop {
        match commands.try_recv() {
            Ok(command) => {
                catch_up(&consumer);
                let done = obey(&consumer, &from_str(&command)?);
                say(
                    &json!({"done": done.map_or_else(|error| error.to_string(), |()| String::new())}),
                );
            }
            Err(TryRecvError::Empty) => {}
            Err(TryRecvError::Disconnected) => return Ok(()),
        }
        let _ = consumer.poll(TURN);
    }
}

/// The lines of standard input.
fn heard() -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        for line in io::stdin().lock().lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

fn obey(consumer: &BaseConsumer<Heard>, command: &Value) -> KafkaResult<()> {
    if let Some(topics) = command["subscribe"].as_array() {
        return consumer.subscribe(&topics.iter().filter_map(Value::as_str).collect::<Vec<_>>());
    }
    if command["assign"].is_array() {
        return consumer.assign(&TopicPartitionList::new());
    }
    Ok(())
}

/// The library puts lines of the log into a queue, which polling empties.
fn catch_up(consumer: &BaseConsumer<Heard>) {
    let lines = || consumer.context().0.load(Ordering::Relaxed);
    loop {
        let before = lines();
        let _ = consumer.poll(TURN);
        if lines() == before {
            return;
        }
    }
}

fn say(what: &Value) {
    let mut out = io::stdout();
    let _ = writeln!(out, "{what}").and_then(|()| out.flush());
}
