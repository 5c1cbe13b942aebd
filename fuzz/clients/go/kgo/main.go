// franz-go's kgo: what its consumer does with kmsg, as a member and as the leader of a group.
package main

import (
	"bytes"
	"clients/line"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

const member = "member"

func main() {
	line.Serve(line.Adapter{
		Client: "franz-go kgo",
		Module: "github.com/twmb/franz-go",
		Names:  []string{line.SubscriptionName, line.AssignmentName},
		Decode: decode,
		Encode: encode,
	})
}

func decode(question line.Question) (line.Read, error) {
	switch question.Name {
	case line.SubscriptionName:
		return subscription(question.Data)
	case line.AssignmentName:
		byTopic, err := kgo.ParseConsumerSyncAssignment(question.Data)
		return line.Read{Value: line.Value{"assignedPartitions": line.Entries(byTopic)}}, err
	}
	return line.Read{}, question.Unknown()
}

// The label is left out: where the body was not what it promised, kgo overwrites it and reads again.
func subscription(data []byte) (line.Read, error) {
	joined := kmsg.NewJoinGroupResponseMember()
	joined.MemberID, joined.ProtocolMetadata = member, data
	balancer, err := kgo.NewConsumerBalancer(nil, []kmsg.JoinGroupResponseMember{joined})
	if err != nil {
		return line.Read{}, err
	}
	_, read := balancer.MemberAt(0)
	owned := []line.Value{}
	for _, one := range read.OwnedPartitions {
		owned = append(owned, line.Value{
			"topic": one.Topic, "partitions": line.List(one.Partitions),
		})
	}
	return line.Read{Value: line.Value{
		"topics": line.List(read.Topics), "userData": read.UserData, "ownedPartitions": owned,
		"generationId": read.Generation, "rackId": read.Rack,
	}}, nil
}

func encode(question line.Question) ([]byte, error) {
	switch question.Name {
	case line.SubscriptionName:
		return join(question)
	case line.AssignmentName:
		return sync(question)
	}
	return nil, question.Unknown()
}

// What one of its balancers joins with: range and roundrobin have no user data, sticky ones their
// own, of what the member has.
func join(question line.Question) ([]byte, error) {
	value, err := question.Subscription()
	if err != nil {
		return nil, err
	}
	wanted := kmsg.NewConsumerMemberMetadata()
	wanted.Version, wanted.Topics, wanted.UserData = question.Version, value.Topics, value.UserData
	wanted.Generation, wanted.Rack = value.GenerationID, value.RackID
	for _, one := range value.OwnedPartitions {
		part := kmsg.NewConsumerMemberMetadataOwnedPartition()
		part.Topic, part.Partitions = one.Topic, one.Partitions
		wanted.OwnedPartitions = append(wanted.OwnedPartitions, part)
	}
	has := kmsg.NewStickyMemberMetadata()
	if value.UserData != nil && has.ReadFrom(value.UserData) != nil {
		return nil, line.Unsupported("none of its balancers writes that")
	}
	current := map[string][]int32{}
	for _, one := range has.CurrentAssignment {
		current[one.Topic] = one.Partitions
	}
	for _, balancer := range []kgo.GroupBalancer{
		kgo.RangeBalancer(), kgo.StickyBalancer(), kgo.CooperativeStickyBalancer(),
	} {
		written := balancer.JoinGroupMetadata(value.Topics, current, value.GenerationID)
		if bytes.Equal(written, wanted.AppendTo(nil)) {
			return written, nil
		}
	}
	return nil, line.Unsupported("none of its balancers writes that")
}

// NewPlan has a member's entry from the balancer's members, whose topics it wants to know.
func sync(question line.Question) ([]byte, error) {
	value, err := question.Assignment()
	switch {
	case err != nil:
		return nil, err
	case question.Version != 0:
		return nil, line.Unsupported("writes assignments of version 0 alone")
	case value.UserData != nil:
		return nil, line.Unsupported("writes no user data into assignments")
	}
	joined := kmsg.NewJoinGroupResponseMember()
	joined.MemberID = member
	nothing := kmsg.NewConsumerMemberMetadata()
	joined.ProtocolMetadata = nothing.AppendTo(nil)
	balancer, err := kgo.NewConsumerBalancer(nil, []kmsg.JoinGroupResponseMember{joined})
	if err != nil {
		return nil, err
	}
	plan := balancer.NewPlan()
	for _, one := range value.AssignedPartitions {
		plan.AddPartitions(&joined, one.Topic, one.Partitions)
	}
	return plan.IntoSyncAssignment()[0].MemberAssignment, nil
}
