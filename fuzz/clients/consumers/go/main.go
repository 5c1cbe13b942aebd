// confluent-kafka-go, driven: see driven_consumer.py for what is said and heard.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
)

type command struct {
	Subscribe []string `json:"subscribe"`
	Assign    []string `json:"assign"`
}

var out = json.NewEncoder(os.Stdout)

func main() {
	settings := kafka.ConfigMap{}
	if err := json.Unmarshal([]byte(os.Args[len(os.Args)-1]), &settings); err != nil {
		fail(err)
	}
	consumer, err := kafka.NewConsumer(&settings)
	if err != nil {
		fail(err)
	}
	_, library := kafka.LibraryVersion()
	out.Encode(map[string]string{"client": "librdkafka (confluent-kafka-go)", "release": library})
	commands := make(chan command)
	go hear(commands)
	for {
		select {
		case told, more := <-commands:
			if !more {
				return
			}
			out.Encode(map[string]string{"done": text(obey(consumer, told))})
		default:
		}
		consumer.Poll(1)
	}
}

func hear(commands chan<- command) {
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			close(commands)
			return
		}
		var told command
		if err := json.Unmarshal(line, &told); err != nil {
			fail(err)
		}
		commands <- told
	}
}

func obey(consumer *kafka.Consumer, told command) error {
	if told.Subscribe != nil {
		return consumer.SubscribeTopics(told.Subscribe, rebalanced)
	}
	return consumer.Assign([]kafka.TopicPartition{})
}

func rebalanced(consumer *kafka.Consumer, event kafka.Event) error {
	given, ok := event.(kafka.AssignedPartitions)
	if !ok {
		return nil // what is taken away, the library does by itself
	}
	var err error
	if consumer.GetRebalanceProtocol() == "COOPERATIVE" {
		err = consumer.IncrementalAssign(given.Partitions)
	} else {
		err = consumer.Assign(given.Partitions)
	}
	if err != nil {
		out.Encode(map[string]string{"refused": err.Error()})
		return nil
	}
	taken := [][]any{}
	for _, one := range given.Partitions {
		taken = append(taken, []any{*one.Topic, one.Partition})
	}
	out.Encode(map[string]any{"assigned": taken})
	return nil
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
