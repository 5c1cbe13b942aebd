// @confluentinc/kafka-javascript, driven: see driven_consumer.py for what is said and heard.
import { writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'

const { CODES, KafkaConsumer, librdkafkaVersion } = createRequire(import.meta.url)(
  '@confluentinc/kafka-javascript'
)

// The streams of `process` do not wait for a pipe that is full.
const say = what => writeSync(1, `${JSON.stringify(what)}\n`)
const settings = JSON.parse(process.argv.at(-1))
const cooperative = settings['partition.assignment.strategy'] === 'cooperative-sticky'

const consumer = new KafkaConsumer({ ...settings, rebalance_cb: rebalanced }, {})
// Each line is an object here, and thousands list the partitions of a large assignment: only those that
// are read are handed on.
const READ = new Set(['ASSIGN', 'GRPSYNC'])
consumer.on('event.log', ({ severity, fac, message }) => {
  if (READ.has(fac)) writeSync(2, `%${severity}|0|${fac}|${consumer.name}| ${message}\n`)
})

function rebalanced({ code }, partitions) {
  if (code !== CODES.ERRORS.ERR__ASSIGN_PARTITIONS) return give(code, partitions)
  try {
    take(partitions)
    say({ assigned: partitions.map(({ topic, partition }) => [topic, partition]) })
  } catch (error) {
    say({ refused: error.message })
  }
}

function take(partitions) {
  if (cooperative) consumer.incrementalAssign(partitions)
  else consumer.assign(partitions)
}

function give(code, partitions) {
  if (cooperative) consumer.incrementalUnassign(partitions)
  else consumer.unassign()
}

// The loop that the binding offers instead ends for good at an error, such as that of a topic's name.
function poll() {
  consumer.consume(1, poll)
}

// The library's threads put lines of the log into a queue, which the event loop empties: once at least
// between two immediates.
function afterTheLog(call) {
  setImmediate(() => setImmediate(call))
}

function obey({ subscribe, assign }) {
  try {
    if (subscribe) consumer.subscribe(subscribe)
    if (assign) consumer.assign(assign)
    return ''
  } catch (error) {
    return error.message
  }
}

consumer.connect({}, error => {
  if (error) throw error
  consumer.setDefaultConsumeTimeout(1000)
  poll()
  say({ client: 'librdkafka (kafka-javascript)', release: librdkafkaVersion, log: 'late' })
  createInterface({ input: process.stdin })
    .on('line', line => afterTheLog(() => say({ done: obey(JSON.parse(line)) })))
    .on('close', () => process.exit())
})
