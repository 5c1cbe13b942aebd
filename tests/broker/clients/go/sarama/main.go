// A member of a group with Sarama: sarama BOOTSTRAP GROUP CLIENT_ID TOPIC [SETTING=VALUE...].
//
// Settings have Kafka's names: partition.assignment.strategy (default: range), group.instance.id,
// session.timeout.ms (default: 3000). It prints what it is told: {"event": "assigned",
// "partitions": ["orders-0"]}, or "failed" with its error. It ends when its stdin does.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/IBM/sarama"
)

type handler struct{}

func (handler) Setup(session sarama.ConsumerGroupSession) error {
	names := []string{}
	for topic, numbers := range session.Claims() {
		for _, number := range numbers {
			names = append(names, fmt.Sprintf("\"%s-%d\"", topic, number))
		}
	}
	sort.Strings(names)
	fmt.Printf("{\"event\": \"assigned\", \"partitions\": [%s]}\n", strings.Join(names, ", "))
	return nil
}

func (handler) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (handler) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for message := range claim.Messages() {
		session.MarkMessage(message, "read by Sarama")
	}
	return nil
}

var strategies = map[string]func() sarama.BalanceStrategy{
	"range":              sarama.NewBalanceStrategyRange,
	"roundrobin":         sarama.NewBalanceStrategyRoundRobin,
	"sticky":             sarama.NewBalanceStrategySticky,
	"cooperative-sticky": sarama.NewBalanceStrategyCooperativeSticky,
}

func fail(err error) {
	fmt.Printf("{\"event\": \"failed\", \"partitions\": [], \"error\": %q}\n", err.Error())
}

func main() {
	settings := map[string]string{"partition.assignment.strategy": "range", "session.timeout.ms": "3000"}
	for _, word := range os.Args[5:] {
		name, value, _ := strings.Cut(word, "=")
		settings[name] = value
	}
	session, _ := strconv.Atoi(settings["session.timeout.ms"])
	if os.Getenv("KPROTO_MEMBER_LOGS") != "" {
		sarama.Logger = log.New(os.Stderr, "[sarama] ", log.LstdFlags|log.LUTC)
	}
	config := sarama.NewConfig()
	config.ClientID = os.Args[3]
	if settings["config.version"] != "default" {
		config.Version = sarama.V2_3_0_0
	}
	used := []sarama.BalanceStrategy{}
	for _, name := range strings.Split(settings["partition.assignment.strategy"], ",") {
		used = append(used, strategies[name]())
		if name == "cooperative-sticky" {
			config.Version = sarama.V2_4_0_0
		}
	}
	config.Consumer.Group.Rebalance.GroupStrategies = used
	config.Consumer.Group.InstanceId = settings["group.instance.id"]
	config.Consumer.Group.Session.Timeout = time.Duration(session) * time.Millisecond
	if age, err := strconv.Atoi(settings["metadata.max.age.ms"]); err == nil {
		config.Metadata.RefreshFrequency = time.Duration(age) * time.Millisecond
	}
	config.Consumer.Group.Heartbeat.Interval = 100 * time.Millisecond
	config.Consumer.Offsets.Initial = sarama.OffsetOldest
	group, err := sarama.NewConsumerGroup([]string{os.Args[1]}, os.Args[2], config)
	if err != nil {
		fail(err)
		os.Exit(1)
	}
	running, end := context.WithCancel(context.Background())
	go func() {
		io.Copy(io.Discard, os.Stdin)
		end()
	}()
	for running.Err() == nil {
		if err := group.Consume(running, []string{os.Args[4]}, handler{}); err != nil {
			if errors.Is(err, sarama.ErrInconsistentGroupProtocol) {
				fail(err)
			}
			fmt.Fprintln(os.Stderr, err)
			time.Sleep(100 * time.Millisecond)
		}
	}
	group.Close()
}
