// kafka-go has three ways to these bytes, and they differ: one of them is the argument.
package main

import (
	"os"
	"clients/line"
)

var paths = map[string]line.Adapter{
	"reader":   {Client: "kafka-go Reader", Decode: readerDecode, Encode: readerEncode},
	"client":   {Client: "kafka-go Client", Decode: clientDecode, Encode: clientEncode},
	"describe": {Client: "kafka-go DescribeGroups", Decode: describeDecode},
}

func main() {
	adapter := paths[os.Args[1]]
	adapter.Module = "github.com/segmentio/kafka-go"
	adapter.Names = []string{line.SubscriptionName, line.AssignmentName}
	line.Serve(adapter)
}
