// Prints each message of standard input, a line of hex each, in every style, and then a separator.
'use strict'
const { readFileSync } = require('fs')
const { format, inspect } = require('util')

const whole = { maxArrayLength: null, maxStringLength: null, breakLength: 80 }
const styles = {
  'console.log of a Buffer': data => format(data),
  'util.inspect, whole': data => inspect(new Uint8Array(data), whole),
  'console.log of a Uint8Array': data => format(new Uint8Array(data)),
  'console.log of an Int8Array': data => format(new Int8Array(data)),
  'console.log of an array': data => format([...data]),
  'console.log of an object': data => format({ memberId: 'consumer-1', payload: data }),
  'console.log of an array in an object': data => format({ memberId: 'consumer-1', payload: [...data] }),
  'console.log of an ArrayBuffer': data => format(new Uint8Array(data).buffer),
  'JSON.stringify of a Buffer': data => JSON.stringify(data),
  'JSON.stringify, indented': data => JSON.stringify({ data }, null, 2),
  'JSON.stringify of a Uint8Array': data => JSON.stringify(new Uint8Array(data)),
  'JSON.stringify of an array': data => JSON.stringify([...data]),
  'JSON.stringify of latin1': data => JSON.stringify(data.toString('latin1')),
  'toString hex': data => data.toString('hex'),
  'toString base64': data => data.toString('base64'),
  'toString base64url': data => data.toString('base64url'),
  'join': data => new Uint8Array(data).toString(),
}

for (const line of readFileSync(0, 'ascii').split('\n').filter(Boolean)) {
  const data = Buffer.from(line, 'hex')
  for (const [name, show] of Object.entries(styles)) {
    process.stdout.write(`${name}\x1f${show(data)}\x1e`)
  }
}
