package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"clients/line"
	"unsafe"

	"github.com/segmentio/kafka-go"
)

// The Reader's code is not exported, and a Reader wants a broker. The linker gives what it calls as
// it stands in the client; these types are as there, in this pinned release.

type joinGroupResponseMember struct {
	MemberID       string
	MemberMetadata []byte
}

type joinGroupRequest struct {
	GroupID          string
	SessionTimeout   int32
	RebalanceTimeout int32
	MemberID         string
	ProtocolType     string
	GroupProtocols   []struct {
		ProtocolName     string
		ProtocolMetadata []byte
	}
}

type groupAssignment struct {
	Version  int16
	Topics   map[string][]int32
	UserData []byte
}

//go:linkname makeMemberProtocolMetadata github.com/segmentio/kafka-go.(*ConsumerGroup).makeMemberProtocolMetadata
func makeMemberProtocolMetadata(
	*kafka.ConsumerGroup, []joinGroupResponseMember,
) ([]kafka.GroupMember, error)

//go:linkname makeJoinGroupRequest github.com/segmentio/kafka-go.(*ConsumerGroup).makeJoinGroupRequest
func makeJoinGroupRequest(*kafka.ConsumerGroup, string) (joinGroupRequest, error)

//go:linkname groupAssignmentReadFrom github.com/segmentio/kafka-go.(*groupAssignment).readFrom
func groupAssignmentReadFrom(*groupAssignment, *bufio.Reader, int) (int, error)

//go:linkname groupAssignmentBytes github.com/segmentio/kafka-go.groupAssignment.bytes
func groupAssignmentBytes(groupAssignment) []byte

func readerDecode(question line.Question) (line.Read, error) {
	switch question.Name {
	case line.SubscriptionName:
		joined := []joinGroupResponseMember{{member, question.Data}}
		read, err := makeMemberProtocolMetadata(nil, joined)
		if err != nil {
			return line.Read{}, err
		}
		return line.Read{Value: line.Value{
			"topics": line.List(read[0].Topics), "userData": read[0].UserData,
		}}, nil
	case line.AssignmentName: // as ConsumerGroup.syncGroup, which does not look at what is left
		read := groupAssignment{}
		in := bufio.NewReader(bytes.NewReader(question.Data))
		_, err := groupAssignmentReadFrom(&read, in, len(question.Data))
		return line.Read{Value: line.Value{"assignedPartitions": line.Entries(read.Topics)}}, err
	}
	return line.Read{}, question.Unknown()
}

// writer stands in for a balancer, which adds user data to what a Reader joins with.
type writer struct {
	kafka.RangeGroupBalancer
	userData []byte
}

func (writer writer) UserData() ([]byte, error) { return writer.userData, nil }

// subscription returns what a Reader joins with.
func subscription(topics []string, userData []byte) ([]byte, error) {
	group := kafka.ConsumerGroup{}
	config := (*kafka.ConsumerGroupConfig)(unsafe.Pointer(&group)) // its first field
	config.Topics = topics
	config.GroupBalancers = []kafka.GroupBalancer{writer{userData: userData}}
	request, err := makeJoinGroupRequest(&group, "")
	if err != nil {
		return nil, err
	}
	return request.GroupProtocols[0].ProtocolMetadata, nil
}

func readerEncode(question line.Question) ([]byte, error) {
	switch question.Name {
	case line.SubscriptionName:
		value, err := question.Subscription()
		if err != nil {
			return nil, err
		}
		if len(value.OwnedPartitions) > 0 {
			return nil, line.Unsupported("has no owned partitions")
		}
		data, err := subscription(value.Topics, value.UserData)
		if err == nil && int16(binary.BigEndian.Uint16(data)) != question.Version {
			label := binary.BigEndian.Uint16(data)
			return nil, line.Unsupported(fmt.Sprintf("writes version %d alone", label))
		}
		return data, err
	case line.AssignmentName: // as ConsumerGroup.makeSyncGroupRequestV0
		if question.Version != 1 {
			return nil, line.Unsupported("writes version 1 alone")
		}
		value, err := question.Assignment()
		if value.UserData != nil {
			return nil, line.Unsupported("writes no user data into assignments")
		}
		return groupAssignmentBytes(groupAssignment{
			Version: 1, Topics: line.ByTopic[int32](value.AssignedPartitions),
		}), err
	}
	return nil, question.Unknown()
}
