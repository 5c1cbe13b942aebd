// The two calls to fill in with your client's own code.

// Your client, here by its file in the folder above; or by its name, after npm install ..
// import * as own from '../client.mjs'

export const client = 'my-client'
export const release = '1.0'
export const names = ['ConsumerProtocolSubscription', 'ConsumerProtocolAssignment']

// Throw this for what your client has no way to do.
export class Unsupported extends Error {}

// Reads the bytes (a Buffer) of a message, version in front, and returns
//   version    the number that stands in the bytes
//   value      for ConsumerProtocolSubscription: topics (strings), userData (a Buffer or null),
//              ownedPartitions ([{ topic, partitions }]), generationId, rackId (a string or null);
//              for ConsumerProtocolAssignment: assignedPartitions (as ownedPartitions), userData
//   remainder  the bytes (a Buffer) that were left unread
// Leave out what your client does not show. An error that it throws is a refusal.
export function decode(name, bytes) {
  console.error('decode is to be filled in, in calls.mjs')
  process.exit(1)
}

// Returns the bytes (a Buffer) of a message, version in front; value is as in decode. If your client
// writes none, throw Unsupported in all calls.
export function encode(name, version, value) {
  console.error('encode is to be filled in, in calls.mjs')
  process.exit(1)
}
