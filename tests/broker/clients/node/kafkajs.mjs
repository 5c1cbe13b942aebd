// A member of a group with KafkaJS: kafkajs.mjs BOOTSTRAP GROUP CLIENT_ID TOPIC.
//
// It joins by an assignor called range, which KafkaJS does not bring along, and cannot lead: it has
// to join others. It prints what it is told: {"event": "assigned", "partitions": ["orders-0"]}. It
// ends when its stdin does.

import kafkajs from "kafkajs";

const { AssignerProtocol, Kafka, logLevel } = kafkajs;
const [bootstrap, groupId, clientId, topic] = process.argv.slice(2);

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

const consumer = new Kafka({ clientId, brokers: [bootstrap], logLevel: logLevel.NOTHING }).consumer({
  groupId,
  partitionAssigners: [range],
  sessionTimeout: 3000,
  heartbeatInterval: 100,
});

consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
  const partitions = Object.entries(payload.memberAssignment)
    .flatMap(([name, numbers]) => numbers.map((number) => `${name}-${number}`))
    .sort();
  console.log(JSON.stringify({ event: "assigned", partitions }));
});
process.stdin.on("end", async () => {
  await consumer.disconnect();
  process.exit(0);
});
process.stdin.resume();
await consumer.connect();
await consumer.subscribe({ topics: [topic], fromBeginning: true });
await consumer.run({ eachMessage: async () => {} });
