// @platformatic/kafka: the module that its consumer and its admin read and write these bytes with.
import { fileURLToPath } from 'node:url'
import { ASSIGNMENT, SUBSCRIPTION, fromBase64, serve, toBase64 } from './line.mjs'

const HOME = new URL('node_modules/@platformatic/kafka/', import.meta.url)
const protocol = await import(new URL('dist/clients/consumer/consumer-protocol.js', HOME))

const subscription = {
  decode(bytes) {
    const { version, userData, ...rest } = protocol.decodeConsumerProtocolSubscription(bytes)
    return { version, value: { ...rest, userData: toBase64(userData) } }
  },
  encode(version, value) {
    const userData = fromBase64(value.userData)
    return protocol.encodeConsumerProtocolSubscription({ ...value, version, userData })
  }
}

const assignment = {
  decode(bytes) {
    const { version, userData, ...rest } = protocol.decodeConsumerProtocolAssignment(bytes)
    return { version, value: { ...rest, userData: toBase64(userData) } }
  },
  encode(version, value) {
    const userData = fromBase64(value.userData)
    return protocol.encodeConsumerProtocolAssignment({ ...value, version, userData })
  }
}

await serve('@platformatic/kafka', fileURLToPath(new URL('package.json', HOME)), {
  [SUBSCRIPTION]: subscription, [ASSIGNMENT]: assignment
})
