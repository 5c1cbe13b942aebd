package main

import (
	"context"
	"errors"
	"net"
	"clients/line"

	"github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/protocol/describegroups"
	"github.com/segmentio/kafka-go/protocol/joingroup"
	"github.com/segmentio/kafka-go/protocol/syncgroup"
)

const member = "member"

var errSent = errors.New("the request is all that was wanted")

// broker stands in for one: it keeps the request, and answers with what it was given.
type broker struct {
	answer kafka.Response
	asked  kafka.Request
}

func (broker *broker) RoundTrip(
	_ context.Context, _ net.Addr, request kafka.Request,
) (kafka.Response, error) {
	broker.asked = request
	if broker.answer == nil {
		return nil, errSent
	}
	return broker.answer, nil
}

func (broker *broker) client() *kafka.Client {
	return &kafka.Client{Addr: kafka.TCP("nowhere:9092"), Transport: broker}
}

// Client.JoinGroup and Client.SyncGroup.
func clientDecode(question line.Question) (line.Read, error) {
	switch question.Name {
	case line.SubscriptionName:
		broker := broker{answer: &joingroup.Response{
			Members: []joingroup.ResponseMember{{MemberID: member, Metadata: question.Data}},
		}}
		read, err := broker.client().JoinGroup(context.Background(), &kafka.JoinGroupRequest{})
		if err != nil {
			return line.Read{}, err
		}
		metadata := read.Members[0].Metadata
		return line.Read{Value: line.Value{
			"topics": line.List(metadata.Topics), "userData": metadata.UserData,
			"ownedPartitions": line.Entries(metadata.OwnedPartitions),
		}}, nil
	case line.AssignmentName:
		broker := broker{answer: &syncgroup.Response{Assignments: question.Data}}
		read, err := broker.client().SyncGroup(context.Background(), &kafka.SyncGroupRequest{})
		if err != nil {
			return line.Read{}, err
		}
		return line.Read{Value: line.Value{
			"assignedPartitions": line.Entries(read.Assignment.AssignedPartitions),
			"userData":           read.Assignment.UserData,
		}}, nil
	}
	return line.Read{}, question.Unknown()
}

func clientEncode(question line.Question) ([]byte, error) {
	if question.Version != 1 {
		return nil, line.Unsupported("writes version 1 alone")
	}
	broker := broker{}
	switch question.Name {
	case line.SubscriptionName:
		value, err := question.Subscription()
		if err != nil {
			return nil, err
		}
		_, err = broker.client().JoinGroup(context.Background(), &kafka.JoinGroupRequest{
			Protocols: []kafka.GroupProtocol{{Metadata: kafka.GroupProtocolSubscription{
				Topics: value.Topics, UserData: value.UserData,
				OwnedPartitions: line.ByTopic[int](value.OwnedPartitions),
			}}},
		})
		if request, sent := broker.asked.(*joingroup.Request); sent {
			return request.Protocols[0].Metadata, nil
		}
		return nil, err
	case line.AssignmentName:
		value, err := question.Assignment()
		if err != nil {
			return nil, err
		}
		_, err = broker.client().SyncGroup(context.Background(), &kafka.SyncGroupRequest{
			Assignments: []kafka.SyncGroupRequestAssignment{{
				MemberID: member, Assignment: kafka.GroupProtocolAssignment{
					AssignedPartitions: line.ByTopic[int](value.AssignedPartitions),
					UserData:           value.UserData,
				},
			}},
		})
		if request, sent := broker.asked.(*syncgroup.Request); sent {
			return request.Assignments[0].Assignment, nil
		}
		return nil, err
	}
	return nil, question.Unknown()
}

// Client.DescribeGroups: it reads both, and one of them is left empty, which it takes for nothing.
func describeDecode(question line.Question) (line.Read, error) {
	described := describegroups.ResponseGroupMember{MemberID: member}
	switch question.Name {
	case line.SubscriptionName:
		described.MemberMetadata = question.Data
	case line.AssignmentName:
		described.MemberAssignment = question.Data
	default:
		return line.Read{}, question.Unknown()
	}
	broker := broker{answer: &describegroups.Response{Groups: []describegroups.ResponseGroup{
		{Members: []describegroups.ResponseGroupMember{described}},
	}}}
	read, err := broker.client().DescribeGroups(
		context.Background(), &kafka.DescribeGroupsRequest{},
	)
	if err != nil {
		return line.Read{}, err
	}
	if err := read.Groups[0].Error; err != nil {
		return line.Read{}, err
	}
	shown := read.Groups[0].Members[0]
	if question.Name == line.AssignmentName {
		assigned := shown.MemberAssignments
		entries := []line.Value{}
		for _, one := range assigned.Topics {
			entries = append(entries, entry(one.Topic, one.Partitions))
		}
		return labelled(assigned.Version, line.Value{
			"assignedPartitions": entries, "userData": assigned.UserData,
		}), nil
	}
	metadata := shown.MemberMetadata
	owned := []line.Value{}
	for _, one := range metadata.OwnedPartitions {
		owned = append(owned, entry(one.Topic, one.Partitions))
	}
	return labelled(metadata.Version, line.Value{
		"topics": line.List(metadata.Topics), "userData": metadata.UserData,
		"ownedPartitions": owned,
	}), nil
}

func entry(topic string, partitions []int) line.Value {
	return line.Value{"topic": topic, "partitions": line.List(partitions)}
}

func labelled(version int, value line.Value) line.Read {
	label := int16(version)
	return line.Read{Version: &label, Value: value}
}
