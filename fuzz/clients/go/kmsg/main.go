// franz-go's kmsg: generated from its own definitions.
package main

import (
	"clients/line"

	"github.com/twmb/franz-go/pkg/kmsg"
)

func main() {
	line.Serve(line.Adapter{
		Client: "franz-go kmsg",
		Module: "github.com/twmb/franz-go/pkg/kmsg",
		Names:  []string{line.SubscriptionName, line.AssignmentName, line.StickyName},
		Decode: decode,
		Encode: encode,
	})
}

func decode(question line.Question) (line.Read, error) {
	switch question.Name {
	case line.SubscriptionName:
		read := kmsg.NewConsumerMemberMetadata()
		err := read.ReadFrom(question.Data)
		return line.Read{Version: &read.Version, Value: subscription(read)}, err
	case line.AssignmentName:
		read := kmsg.NewConsumerMemberAssignment()
		err := read.ReadFrom(question.Data)
		entries := []line.Value{}
		for _, one := range read.Topics {
			entries = append(entries, entry(one.Topic, one.Partitions))
		}
		value := line.Value{"assignedPartitions": entries, "userData": read.UserData}
		return line.Read{Version: &read.Version, Value: value}, err
	case line.StickyName:
		read := kmsg.NewStickyMemberMetadata()
		err := read.ReadFrom(question.Data)
		entries := []line.Value{}
		for _, one := range read.CurrentAssignment {
			entries = append(entries, entry(one.Topic, one.Partitions))
		}
		return line.Read{Value: line.Value{
			"previousAssignment": entries, "generation": read.Generation,
		}}, err
	}
	return line.Read{}, question.Unknown()
}

func subscription(read kmsg.ConsumerMemberMetadata) line.Value {
	owned := []line.Value{}
	for _, one := range read.OwnedPartitions {
		owned = append(owned, entry(one.Topic, one.Partitions))
	}
	return line.Value{
		"topics": line.List(read.Topics), "userData": read.UserData, "ownedPartitions": owned,
		"generationId": read.Generation, "rackId": read.Rack,
	}
}

func entry(topic string, partitions []int32) line.Value {
	return line.Value{"topic": topic, "partitions": line.List(partitions)}
}

func encode(question line.Question) ([]byte, error) {
	switch question.Name {
	case line.SubscriptionName:
		value, err := question.Subscription()
		made := kmsg.NewConsumerMemberMetadata()
		made.Version = question.Version
		made.Topics = value.Topics
		made.UserData = value.UserData
		made.Generation = value.GenerationID
		made.Rack = value.RackID
		for _, one := range value.OwnedPartitions {
			part := kmsg.NewConsumerMemberMetadataOwnedPartition()
			part.Topic, part.Partitions = one.Topic, one.Partitions
			made.OwnedPartitions = append(made.OwnedPartitions, part)
		}
		return made.AppendTo(nil), err
	case line.AssignmentName:
		value, err := question.Assignment()
		made := kmsg.NewConsumerMemberAssignment()
		made.Version = question.Version
		made.UserData = value.UserData
		for _, one := range value.AssignedPartitions {
			part := kmsg.NewConsumerMemberAssignmentTopic()
			part.Topic, part.Partitions = one.Topic, one.Partitions
			made.Topics = append(made.Topics, part)
		}
		return made.AppendTo(nil), err
	case line.StickyName:
		if question.Version != 1 {
			return nil, line.Unsupported("writes version 1 alone")
		}
		value, err := question.Sticky()
		made := kmsg.NewStickyMemberMetadata()
		made.Generation = value.Generation
		for _, one := range value.PreviousAssignment {
			part := kmsg.NewStickyMemberMetadataCurrentAssignment()
			part.Topic, part.Partitions = one.Topic, one.Partitions
			made.CurrentAssignment = append(made.CurrentAssignment, part)
		}
		return made.AppendTo(nil), err
	}
	return nil, question.Unknown()
}
