// The loop of an adapter in JavaScript: a question a line in, an answer a line out.
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

export const SUBSCRIPTION = 'ConsumerProtocolSubscription'
export const ASSIGNMENT = 'ConsumerProtocolAssignment'

export class Unsupported extends Error {}

// codecs: by name, decode(bytes) gives {version, value}, encode(version, value) gives bytes.
export async function serve(client, manifest, codecs) {
  const release = JSON.parse(readFileSync(manifest, 'utf8')).version
  const hello = {
    ok: true, protocol: 1, client, release, names: Object.keys(codecs), ops: ['decode', 'encode']
  }
  for await (const text of createInterface({ input: process.stdin })) {
    const question = JSON.parse(text)
    let said
    try {
      said = question.op === 'hello' ? hello : answer(codecs[question.name], question)
    } catch (error) {
      said = { ok: false, error: `${error.name}: ${error.message}` }
      if (error instanceof Unsupported) said.unsupported = true
    }
    process.stdout.write(JSON.stringify({ id: question.id, ...said }) + '\n')
  }
}

function answer(codec, { op, hex, version, value }) {
  switch (op) {
    case 'decode':
      return { ok: true, ...codec.decode(Buffer.from(hex, 'hex')) }
    case 'encode':
      return { ok: true, hex: codec.encode(version, value).toString('hex') }
  }
  throw new Unsupported(`no such op: ${op}`)
}

export const toBase64 = bytes => bytes?.toString('base64') ?? null
export const fromBase64 = text => (text == null ? text : Buffer.from(text, 'base64'))
