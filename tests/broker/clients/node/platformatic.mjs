// A member of a group with @platformatic/kafka: platformatic.mjs BOOTSTRAP GROUP CLIENT_ID TOPIC
// [SETTING=VALUE...].
//
// Settings have Kafka's names: partition.assignment.strategy (default: roundrobin), group.protocol,
// group.instance.id, session.timeout.ms (default: 3000). It prints what it is told: {"event":
// "assigned", "partitions": ["orders-0"]}, or "failed". It ends when its stdin does.

// What Node.js has since its release 22.
Promise.withResolvers ??= () => {
  const parts = {};
  parts.promise = new Promise((resolve, reject) => Object.assign(parts, { resolve, reject }));
  return parts;
};
const { Consumer } = await import("@platformatic/kafka");

const [bootstrap, groupId, clientId, topic, ...words] = process.argv.slice(2);
const settings = Object.fromEntries(words.map((word) => word.split("=")));
const names = (settings["partition.assignment.strategy"] ?? "roundrobin").split(",");
const classic = {
  protocols: names.map((name) => ({ name, version: 3 })),
  sessionTimeout: Number(settings["session.timeout.ms"] ?? 3000),
  rebalanceTimeout: 10000,
  heartbeatInterval: 100,
};

function tell(event, partitions, error) {
  console.log(JSON.stringify({ event, partitions, ...(error ? { error: String(error) } : {}) }));
}

try {
  const consumer = new Consumer({
    clientId,
    groupId,
    bootstrapBrokers: bootstrap.split(","),
    ...(settings["group.instance.id"] ? { groupInstanceId: settings["group.instance.id"] } : {}),
    ...(settings["group.protocol"] === "consumer" ? { groupProtocol: "consumer" } : classic),
  });
  consumer.on("consumer:group:join", ({ assignments }) => {
    const partitions = (assignments ?? []).flatMap(({ topic, partitions }) =>
      partitions.map((number) => `${topic}-${number}`),
    );
    tell("assigned", partitions.sort());
  });
  process.stdin.on("end", async () => {
    await consumer.close(true);
    process.exit(0);
  });
  process.stdin.resume();
  const stream = await consumer.consume({ topics: [topic], mode: "committed", fallbackMode: "earliest" });
  stream.on("error", (error) => tell("failed", [], error));
  for await (const _ of stream) {
  }
} catch (error) {
  tell("failed", [], error);
  process.exit(1);
}
