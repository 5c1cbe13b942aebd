// A member of a group with kafka-go's Reader: kafkago BOOTSTRAP GROUP CLIENT_ID TOPIC [SETTING=VALUE...].
//
// Its settings are session.timeout.ms (default: 3000), fetch.max.wait.ms (1000) and metadata.max.age.ms, how
// often it looks for new partitions. It is a member with range or roundrobin, writes its errors and its log to
// stderr, and ends when its stdin does. What it is assigned is in its log.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/segmentio/kafka-go"
)

func main() {
	settings := map[string]string{"session.timeout.ms": "3000", "fetch.max.wait.ms": "1000"}
	for _, word := range os.Args[5:] {
		name, value, _ := strings.Cut(word, "=")
		settings[name] = value
	}
	session, _ := strconv.Atoi(settings["session.timeout.ms"])
	age, _ := strconv.Atoi(settings["metadata.max.age.ms"])
	wait, _ := strconv.Atoi(settings["fetch.max.wait.ms"])
	flags := 0
	if os.Getenv("KPROTO_MEMBER_LOGS") != "" {
		flags = log.LstdFlags | log.Lmicroseconds | log.LUTC
	}
	reader := kafka.NewReader(kafka.ReaderConfig{
		Brokers:           []string{os.Args[1]},
		GroupID:           os.Args[2],
		Topic:             os.Args[4],
		Dialer:            &kafka.Dialer{ClientID: os.Args[3], Timeout: 10 * time.Second},
		SessionTimeout:    time.Duration(session) * time.Millisecond,
		RebalanceTimeout:  10 * time.Second,
		HeartbeatInterval: 100 * time.Millisecond,
		MaxWait:           time.Duration(wait) * time.Millisecond, // it joins again when its fetches have ended
		JoinGroupBackoff:  100 * time.Millisecond,
		Logger:            log.New(os.Stderr, "", flags),
		ErrorLogger:       log.New(os.Stderr, "error: ", flags),

		WatchPartitionChanges:  age > 0,
		PartitionWatchInterval: time.Duration(age) * time.Millisecond,
	})
	running, end := context.WithCancel(context.Background())
	go func() {
		io.Copy(io.Discard, os.Stdin)
		end()
	}()
	for running.Err() == nil {
		if _, err := reader.ReadMessage(running); err != nil && running.Err() == nil {
			fmt.Printf("{\"event\": \"failed\", \"partitions\": [], \"error\": %q}\n", err.Error())
		}
	}
	reader.Close()
}
