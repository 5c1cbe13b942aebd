// A member of a group with franz-go: franz BOOTSTRAP GROUP CLIENT_ID TOPIC.
//
// It joins with the range assignor and prints what it is told: {"event": "assigned", "partitions":
// ["orders-0"]}, or "revoked". It ends when its stdin does.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

var mutex sync.Mutex

func tell(event string, topics map[string][]int32) {
	names := []string{}
	for topic, numbers := range topics {
		for _, number := range numbers {
			names = append(names, fmt.Sprintf("\"%s-%d\"", topic, number))
		}
	}
	sort.Strings(names)
	mutex.Lock()
	defer mutex.Unlock()
	fmt.Printf("{\"event\": \"%s\", \"partitions\": [%s]}\n", event, strings.Join(names, ", "))
}

func main() {
	client, err := kgo.NewClient(
		kgo.SeedBrokers(os.Args[1]),
		kgo.ConsumerGroup(os.Args[2]),
		kgo.ClientID(os.Args[3]),
		kgo.ConsumeTopics(os.Args[4]),
		kgo.Balancers(kgo.RangeBalancer()),
		kgo.SessionTimeout(3*time.Second),
		kgo.HeartbeatInterval(100*time.Millisecond),
		kgo.OnPartitionsAssigned(func(_ context.Context, _ *kgo.Client, to map[string][]int32) {
			tell("assigned", to)
		}),
		kgo.OnPartitionsRevoked(func(_ context.Context, _ *kgo.Client, from map[string][]int32) {
			tell("revoked", from)
		}),
	)
	if err != nil {
		panic(err)
	}
	running, end := context.WithCancel(context.Background())
	go func() {
		io.Copy(io.Discard, os.Stdin)
		end()
	}()
	for running.Err() == nil {
		client.PollFetches(running)
	}
	client.Close()
}
