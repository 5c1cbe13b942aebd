// Answers the questions of `kproto conform` with the two calls in calls.mjs.
import { createInterface } from 'node:readline'
import * as calls from './calls.mjs'

const hello = {
  ok: true, protocol: 1, client: calls.client, release: calls.release, names: calls.names,
  ops: ['decode', 'encode']
}

function answer({ op, name, hex, version, value }) {
  switch (op) {
    case 'hello':
      return hello
    case 'decode':
      return read(calls.decode(name, Buffer.from(hex, 'hex')))
    case 'encode': {
      const userData = value.userData == null ? value.userData : Buffer.from(value.userData, 'base64')
      return { ok: true, hex: calls.encode(name, version, { ...value, userData }).toString('hex') }
    }
  }
  throw new calls.Unsupported(`no such op: ${op}`)
}

function read({ version, value, remainder }) {
  const userData = value.userData == null ? value.userData : value.userData.toString('base64')
  return { ok: true, version, value: { ...value, userData }, remainder: remainder?.toString('hex') }
}

for await (const line of createInterface({ input: process.stdin })) {
  const question = JSON.parse(line)
  let reply
  try {
    reply = answer(question)
  } catch (error) {
    reply = { ok: false, error: `${error.name}: ${error.message}` }
    if (error instanceof calls.Unsupported) reply.unsupported = true
  }
  process.stdout.write(JSON.stringify({ id: question.id, ...reply }) + '\n')
}
