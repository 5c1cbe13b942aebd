# Prints each message of standard input, a line of hex each, in every style, and then a separator.
require 'json'

STYLES = {
  'inspect' => ->(data) { data.inspect },
  'dump' => ->(data) { data.dump },
  'inspect of bytes' => ->(data) { data.bytes.inspect },
  'unpack1 H*' => ->(data) { data.unpack1('H*') },
  'pack m0' => ->(data) { [data].pack('m0') },
  'to_json of bytes' => ->(data) { { payload: data.bytes }.to_json },
}.freeze

$stdin.each_line do |line|
  data = [line.strip].pack('H*')
  STYLES.each { |name, show| $stdout.write(name, "\x1f", show.call(data), "\x1e") }
end
