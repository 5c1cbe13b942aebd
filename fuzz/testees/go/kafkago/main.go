// kafka-go has three ways to these bytes, and they differ: one of them is the argument.
package main

import (
	"os"
	"testees/line"
)

var paths = map[string]line.Testee{
	"reader":   {Client: "kafka-go Reader", Decode: readerDecode, Encode: readerEncode},
	"client":   {Client: "kafka-go Client", Decode: clientDecode, Encode: clientEncode},
	"describe": {Client: "kafka-go DescribeGroups", Decode: describeDecode},
}

func main() {
	testee := paths[os.Args[1]]
	testee.Module = "github.com/segmentio/kafka-go"
	testee.Names = []string{line.SubscriptionName, line.AssignmentName}
	line.Serve(testee)
}
