// A correct client of a few lines: what `kproto conform --init javascript` asks to be filled in.

export const client = 'my-client'
export const release = '1.0'
export const names = ['ConsumerProtocolSubscription', 'ConsumerProtocolAssignment']

export class Unsupported extends Error {}

export function decode(name, bytes) {
  let at = 0
  const take = size => {
    if (size < 0 || size > bytes.length - at) throw new RangeError(`${size} bytes at ${at}`)
    at += size
    return bytes.subarray(at - size, at)
  }
  const int16 = () => take(2).readInt16BE()
  const int32 = () => take(4).readInt32BE()
  const text = () => take(int16()).toString()
  const list = item => {
    const items = []
    const count = int32()
    if (count < 0) throw new RangeError(`a count of ${count}`)
    for (let left = count; left > 0; left--) items.push(item())
    return items
  }
  const nullable = (size, read) => size < 0 ? null : read(take(size))
  const userData = () => nullable(int32(), data => data)
  const entry = () => ({ topic: text(), partitions: list(int32) })

  const version = int16()
  if (version < 0) throw new RangeError(`version ${version}`)
  const value = {}
  if (name === 'ConsumerProtocolAssignment') value.assignedPartitions = list(entry)
  else value.topics = list(text)
  value.userData = userData()
  if ('topics' in value && version >= 1) value.ownedPartitions = list(entry)
  if ('topics' in value && version >= 2) value.generationId = int32()
  if ('topics' in value && version >= 3) value.rackId = nullable(int16(), data => data.toString())
  return { version, value, remainder: bytes.subarray(at) }
}

export function encode(name, version, value) {
  const int16 = number => { const data = Buffer.alloc(2); data.writeInt16BE(number); return data }
  const int32 = number => { const data = Buffer.alloc(4); data.writeInt32BE(number); return data }
  const list = (item, items) => Buffer.concat([int32(items.length), ...items.map(item)])
  const text = string => Buffer.concat([int16(Buffer.byteLength(string)), Buffer.from(string)])
  const blob = data => data == null ? int32(-1) : Buffer.concat([int32(data.length), data])
  const entry = ({ topic, partitions }) => Buffer.concat([text(topic), list(int32, partitions)])

  if (version < 0 || version > 3) throw new RangeError(`version ${version}`)
  const parts = [int16(version)]
  if (name === 'ConsumerProtocolAssignment') parts.push(list(entry, value.assignedPartitions))
  else parts.push(list(text, value.topics))
  parts.push(blob(value.userData))
  if (value.topics && version >= 1) parts.push(list(entry, value.ownedPartitions ?? []))
  if (value.topics && version >= 2) parts.push(int32(value.generationId ?? -1))
  if (value.topics && version >= 3) parts.push(value.rackId == null ? int16(-1) : text(value.rackId))
  return Buffer.concat(parts)
}
