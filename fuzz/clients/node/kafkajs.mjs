// KafkaJS: its AssignerProtocol, which is public for those who write an assigner.
import { createRequire } from 'node:module'
import { ASSIGNMENT, SUBSCRIPTION, Unsupported, fromBase64, serve, toBase64 } from './line.mjs'

const require = createRequire(import.meta.url)
const client = process.argv[2] ?? 'kafkajs' // an older release has another name
const { MemberAssignment, MemberMetadata } = require(client).AssignerProtocol

// It has the fields of version 0 and writes any label; its own assigners write 0 and 1.
const subscription = {
  decode(bytes) {
    const { version, topics, userData } = MemberMetadata.decode(bytes)
    return { version, value: { topics, userData: toBase64(userData) } }
  },
  encode(version, { topics, userData, ownedPartitions, generationId, rackId }) {
    if (ownedPartitions?.length || (generationId ?? -1) !== -1 || rackId != null) {
      throw new Unsupported('has the fields of version 0 alone')
    }
    return MemberMetadata.encode({ version, topics, userData: fromBase64(userData) })
  }
}

const assignment = {
  decode(bytes) {
    const read = MemberAssignment.decode(bytes)
    if (read === null) return { value: { assignedPartitions: [] } } // as its consumer takes it
    const assignedPartitions = Object.keys(read.assignment).map(topic => ({
      topic, partitions: read.assignment[topic]
    }))
    return {
      version: read.version, value: { assignedPartitions, userData: toBase64(read.userData) }
    }
  },
  encode(version, { assignedPartitions, userData }) {
    const byTopic = {}
    for (const { topic, partitions } of assignedPartitions) {
      byTopic[topic] = (byTopic[topic] ?? []).concat(partitions)
    }
    return MemberAssignment.encode({ version, assignment: byTopic, userData: fromBase64(userData) })
  }
}

await serve('KafkaJS', require.resolve(`${client}/package.json`), {
  [SUBSCRIPTION]: subscription, [ASSIGNMENT]: assignment
})
