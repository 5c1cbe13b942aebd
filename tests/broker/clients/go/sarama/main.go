// A member of a group with Sarama: sarama BOOTSTRAP GROUP CLIENT_ID TOPIC.
//
// It joins with the range assignor and prints what it is told: {"event": "assigned", "partitions":
// ["orders-0"]}. It ends when its stdin does.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"sort"
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

func main() {
	config := sarama.NewConfig()
	config.ClientID = os.Args[3]
	config.Version = sarama.V2_3_0_0
	config.Consumer.Group.Rebalance.GroupStrategies = []sarama.BalanceStrategy{sarama.NewBalanceStrategyRange()}
	config.Consumer.Group.Session.Timeout = 3 * time.Second
	config.Consumer.Group.Heartbeat.Interval = 100 * time.Millisecond
	config.Consumer.Offsets.Initial = sarama.OffsetOldest
	group, err := sarama.NewConsumerGroup([]string{os.Args[1]}, os.Args[2], config)
	if err != nil {
		panic(err)
	}
	running, end := context.WithCancel(context.Background())
	go func() {
		io.Copy(io.Discard, os.Stdin)
		end()
	}()
	for running.Err() == nil {
		if err := group.Consume(running, []string{os.Args[4]}, handler{}); err != nil {
			time.Sleep(100 * time.Millisecond)
		}
	}
	group.Close()
}
