// A member of a group with KafkaJS: kafkajs.mjs BOOTSTRAP GROUP CLIENT_ID TOPIC [SETTING=VALUE...].
//
// partition.assignment.strategy=RoundRobinAssigner leaves KafkaJS its own default. Without it, it
// joins by one called range, with which it cannot lead: it has to join others. It prints
// what it is told: {"event": "assigned", "partitions": ["orders-0"]}, or "failed". A line of its stdin is a
// number of milliseconds that the next message takes; it ends when its stdin does.

import kafkajs from "kafkajs";

const { AssignerProtocol, Kafka, logLevel } = kafkajs;
const [bootstrap, groupId, clientId, topic, ...words] = process.argv.slice(2);
const settings = Object.fromEntries(words.map((word) => word.split("=")));

const range = () => ({
  name: "range",
  version: 0,
  protocol: ({ topics }) => ({
    name: "range",
    metadata: AssignerProtocol.MemberMetadata.encode({
      version: 0,
      topics,
      userData: Buffer.alloc(0),
    }),
  }),
  assign: async () => {
    throw new Error("not the leader");
  },
});

// As KafkaJS's own logger writes, to stderr.
const logCreator = () => ({ namespace, label, log }) => {
  const message = namespace ? `[${namespace}] ${log.message}` : log.message;
  process.stderr.write(`${JSON.stringify({ level: label, ...log, message })}\n`);
};
const level = process.env.KPROTO_MEMBER_LOGS ? logLevel.INFO : logLevel.NOTHING;
const kafka = new Kafka({ clientId, brokers: [bootstrap], logLevel: level, logCreator });
const consumer = kafka.consumer({
  groupId,
  ...(settings["partition.assignment.strategy"] !== "RoundRobinAssigner" && {
    partitionAssigners: [range],
  }),
  sessionTimeout: 3000,
  heartbeatInterval: 100,
  metadataMaxAge: Number(settings["metadata.max.age.ms"] ?? 300000),
  maxWaitTimeInMs: 500, // heartbeats are sent between two fetches
});

consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
  const partitions = Object.entries(payload.memberAssignment)
    .flatMap(([name, numbers]) => numbers.map((number) => `${name}-${number}`))
    .sort();
  console.log(JSON.stringify({ event: "assigned", partitions }));
});
consumer.on(consumer.events.CRASH, ({ payload }) => {
  console.log(JSON.stringify({ event: "failed", partitions: [], error: String(payload.error) }));
});
process.stdin.on("end", async () => {
  await consumer.disconnect();
  process.exit(0);
});
let pause = 0;
process.stdin.on("data", (line) => {
  pause = Number(line);
});
await consumer.connect();
const topics = [topic.startsWith("^") ? new RegExp(topic) : topic];
await consumer.subscribe({ topics, fromBeginning: true });
await consumer.run({
  eachMessage: async () => {
    const milliseconds = pause;
    pause = 0;
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
  },
});
