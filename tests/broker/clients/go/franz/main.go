// A member of a group with franz-go: franz BOOTSTRAP GROUP CLIENT_ID TOPIC [SETTING=VALUE...].
//
// Settings have Kafka's names: partition.assignment.strategy (default: range), group.protocol,
// group.instance.id, session.timeout.ms (default: 3000). A TOPIC that begins with ^ is a pattern. It prints what it is told: {"event":
// "assigned", "partitions": ["orders-0"]}, or "revoked", or "lost", or "failed" with its error. It
// ends when its stdin does.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"sort"
	"strconv"
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

var balancers = map[string]func() kgo.GroupBalancer{
	"range":              kgo.RangeBalancer,
	"roundrobin":         kgo.RoundRobinBalancer,
	"sticky":             kgo.StickyBalancer,
	"cooperative-sticky": kgo.CooperativeStickyBalancer,
}

func fail(err error) {
	fmt.Printf("{\"event\": \"failed\", \"partitions\": [], \"error\": %q}\n", err.Error())
	os.Exit(1)
}

func main() {
	settings := map[string]string{"partition.assignment.strategy": "range", "session.timeout.ms": "3000"}
	for _, word := range os.Args[5:] {
		name, value, _ := strings.Cut(word, "=")
		settings[name] = value
	}
	session, _ := strconv.Atoi(settings["session.timeout.ms"])
	told := func(event string) func(context.Context, *kgo.Client, map[string][]int32) {
		return func(_ context.Context, _ *kgo.Client, topics map[string][]int32) { tell(event, topics) }
	}
	logs := kgo.BasicLogger(io.Discard, kgo.LogLevelNone, nil)
	if os.Getenv("KPROTO_MEMBER_LOGS") != "" {
		logs = kgo.BasicLogger(os.Stderr, kgo.LogLevelInfo, func() string {
			return time.Now().UTC().Format("2006-01-02 15:04:05.000 ")
		})
	}
	options := []kgo.Opt{
		kgo.WithLogger(logs),
		kgo.SeedBrokers(os.Args[1]),
		kgo.ClientID(os.Args[3]),
		kgo.ConsumeTopics(os.Args[4]),
	}
	if age, err := strconv.Atoi(settings["metadata.max.age.ms"]); err == nil {
		options = append(options, kgo.MetadataMinAge(time.Duration(age)*time.Millisecond/2),
			kgo.MetadataMaxAge(time.Duration(age)*time.Millisecond))
	}
	if strings.HasPrefix(os.Args[4], "^") {
		options = append(options, kgo.ConsumeRegex())
	}
	if settings["group.protocol"] == "share" {
		consume(append(options, kgo.ShareGroup(os.Args[2])))
		return
	}
	options = append(options,
		kgo.ConsumerGroup(os.Args[2]),
		kgo.SessionTimeout(time.Duration(session) * time.Millisecond),
		kgo.HeartbeatInterval(100 * time.Millisecond),
		kgo.OnPartitionsAssigned(told("assigned")),
		kgo.OnPartitionsRevoked(told("revoked")),
		kgo.OnPartitionsLost(told("lost")),
	)
	if settings["group.protocol"] == "consumer" {
		options = append(options, kgo.Balancers(kgo.StickyBalancer()), kgo.ServerSideBalancer())
	} else {
		used := []kgo.GroupBalancer{}
		for _, name := range strings.Split(settings["partition.assignment.strategy"], ",") {
			used = append(used, balancers[name]())
		}
		options = append(options, kgo.Balancers(used...))
	}
	if id := settings["group.instance.id"]; id != "" {
		options = append(options, kgo.InstanceID(id))
	}
	consume(options)
}

func consume(options []kgo.Opt) {
	client, err := kgo.NewClient(options...)
	if err != nil {
		fail(err)
	}
	running, end := context.WithCancel(context.Background())
	go func() {
		io.Copy(io.Discard, os.Stdin)
		end()
	}()
	for running.Err() == nil {
		fetches := client.PollFetches(running)
		for _, failed := range fetches.Errors() {
			if running.Err() == nil {
				fmt.Fprintln(os.Stderr, failed.Err)
			}
		}
	}
	client.Close()
}
