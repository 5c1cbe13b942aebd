package main

import (
	"bufio"
	"bytes"
	"testees/line"
	_ "unsafe" // for linkname

	"github.com/segmentio/kafka-go"
)

// The Reader's code is not exported, and a Reader wants a broker. The linker gives what it calls as
// it stands in the client; the three types are as there, in this pinned release.

type joinGroupResponseMember struct {
	MemberID       string
	MemberMetadata []byte
}

type groupMetadata struct {
	Version  int16
	Topics   []string
	UserData []byte
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

//go:linkname groupMetadataBytes github.com/segmentio/kafka-go.groupMetadata.bytes
func groupMetadataBytes(groupMetadata) []byte

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

func readerEncode(question line.Question) ([]byte, error) {
	if question.Version != 1 {
		return nil, line.Unsupported("writes the label 1 alone")
	}
	switch question.Name {
	case line.SubscriptionName: // as ConsumerGroup.makeJoinGroupRequest
		value, err := question.Subscription()
		if len(value.OwnedPartitions) > 0 {
			return nil, line.Unsupported("has no owned partitions")
		}
		return groupMetadataBytes(groupMetadata{
			Version: 1, Topics: value.Topics, UserData: value.UserData,
		}), err
	case line.AssignmentName: // as ConsumerGroup.makeSyncGroupRequestV0
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
