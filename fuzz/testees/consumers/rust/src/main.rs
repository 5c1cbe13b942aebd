//! rdkafka, driven: see driven_consumer.py for what is said and heard.

use std::collections::HashMap;
use std::env;
use std::io::{self, BufRead};
use std::sync::mpsc::{self, TryRecvError};
use std::thread;
use std::time::Duration;

use rdkafka::client::ClientContext;
use rdkafka::config::{ClientConfig, RDKafkaLogLevel};
use rdkafka::consumer::{BaseConsumer, Consumer, ConsumerContext, Rebalance};
use rdkafka::util::get_rdkafka_version;
use rdkafka::TopicPartitionList;
use serde_json::{Value, json};

struct Told;

impl ClientContext for Told {
    /// As librdkafka prints it where nobody takes its log.
    fn log(&self, _level: RDKafkaLogLevel, facility: &str, message: &str) {
        eprintln!("%7|0|{facility}|rdkafka| {message}");
    }
}

impl ConsumerContext for Told {
    /// The binding has taken them; it tells nobody of an error.
    fn post_rebalance(&self, _consumer: &BaseConsumer<Self>, rebalance: &Rebalance<'_>) {
        if let Rebalance::Assign(partitions) = rebalance {
            let taken: Vec<Value> = partitions
                .elements()
                .iter()
                .map(|one| json!([one.topic(), one.partition()]))
                .collect();
            println!("{}", json!({"assigned": taken}));
        }
    }
}

fn main() {
    let last = env::args().next_back().expect("no settings");
    let settings: HashMap<String, String> = serde_json::from_str(&last).expect("no settings");
    let mut config = ClientConfig::new();
    config.extend(settings);
    config.set_log_level(RDKafkaLogLevel::Debug);
    let consumer: BaseConsumer<Told> = config.create_with_context(Told).expect("no consumer");
    let (_, library) = get_rdkafka_version();
    println!("{}", json!({"client": "librdkafka (rdkafka)", "release": library}));
    let commands = hear();
    loop {
        match commands.try_recv() {
            Ok(told) => println!("{}", json!({"done": obey(&consumer, &told)})),
            Err(TryRecvError::Disconnected) => return,
            Err(TryRecvError::Empty) => (),
        }
        consumer.poll(Duration::from_millis(1)); // it counts whole ones: less would not wait
    }
}

fn hear() -> mpsc::Receiver<Value> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        for line in io::stdin().lock().lines().map_while(Result::ok) {
            let _ = sender.send(serde_json::from_str(&line).expect("no command"));
        }
    });
    receiver
}

fn obey(consumer: &BaseConsumer<Told>, told: &Value) -> String {
    let done = match told["subscribe"].as_array() {
        Some(topics) => {
            let topics: Vec<&str> = topics.iter().filter_map(Value::as_str).collect();
            consumer.subscribe(&topics)
        }
        None => consumer.assign(&TopicPartitionList::new()),
    };
    done.err().map(|error| error.to_string()).unwrap_or_default()
}
