package main

import (
	"fmt"
	"os"
)

// The two calls to fill in with your client's own code.

var (
	client  = "my-client"
	release = "1.0"
	names   = []string{"ConsumerProtocolSubscription", "ConsumerProtocolAssignment"}
)

// decode reads the bytes of a message, version in front; main.go has the fields of Message. An
// error is a refusal; return Unsupported for what your client has no way to do.
func decode(name string, data []byte) (Message, error) {
	fmt.Fprintln(os.Stderr, "decode is to be filled in, in calls.go")
	os.Exit(1)
	return Message{}, nil
}

// encode returns the bytes of a message, version in front. Of the message, the fields of name are
// there, with Kafka's defaults. If your client writes none, return Unsupported from all calls.
func encode(name string, version int16, message Message) ([]byte, error) {
	fmt.Fprintln(os.Stderr, "encode is to be filled in, in calls.go")
	os.Exit(1)
	return nil, nil
}
