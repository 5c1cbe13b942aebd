// Sarama: written by hand.
package main

import (
	"reflect"
	"clients/line"
	_ "unsafe" // for linkname

	"github.com/IBM/sarama"
)

const member = "member"

// Fields that older releases do not have.
var newer = map[string]string{"GenerationID": "generationId", "RackID": "rackId"}

func main() {
	line.Serve(line.Adapter{
		Client: "Sarama",
		Module: "github.com/IBM/sarama",
		Names:  []string{line.SubscriptionName, line.AssignmentName, line.StickyName},
		Decode: decode,
		Encode: encode,
	})
}

// How its sticky strategy reads a member's user data. There is no public way to it that tells what
// was read.
//
//go:linkname deserializeTopicPartitionAssignment github.com/IBM/sarama.deserializeTopicPartitionAssignment
func deserializeTopicPartitionAssignment(data []byte) (sarama.StickyAssignorUserData, error)

func decode(question line.Question) (line.Read, error) {
	switch question.Name {
	case line.SubscriptionName:
		return subscription(question.Data)
	case line.AssignmentName:
		response := sarama.SyncGroupResponse{MemberAssignment: question.Data}
		read, err := response.GetMemberAssignment()
		if err != nil {
			return line.Read{}, err
		}
		return line.Read{Version: &read.Version, Value: line.Value{
			"assignedPartitions": line.Entries(read.Topics), "userData": read.UserData,
		}}, nil
	case line.StickyName:
		read, err := deserializeTopicPartitionAssignment(question.Data)
		switch read := read.(type) {
		case *sarama.StickyAssignorUserDataV0:
			return line.Read{Value: line.Value{"previousAssignment": line.Entries(read.Topics)}}, err
		case *sarama.StickyAssignorUserDataV1:
			return line.Read{Value: line.Value{
				"previousAssignment": line.Entries(read.Topics), "generation": read.Generation,
			}}, err
		}
		return line.Read{}, err
	}
	return line.Read{}, question.Unknown()
}

func subscription(data []byte) (line.Read, error) {
	response := sarama.JoinGroupResponse{
		Members: []sarama.GroupMember{{MemberId: member, Metadata: data}},
	}
	members, err := response.GetMembers()
	if err != nil {
		return line.Read{}, err
	}
	read := members[member]
	owned := []line.Value{}
	for _, one := range read.OwnedPartitions {
		owned = append(owned, line.Value{
			"topic": one.Topic, "partitions": line.List(one.Partitions),
		})
	}
	value := line.Value{
		"topics": line.List(read.Topics), "userData": read.UserData, "ownedPartitions": owned,
	}
	for name, key := range newer {
		if field := reflect.ValueOf(read).FieldByName(name); field.IsValid() {
			value[key] = field.Interface()
		}
	}
	return line.Read{Version: &read.Version, Value: value}, nil
}

func encode(question line.Question) ([]byte, error) {
	switch question.Name {
	case line.SubscriptionName:
		return join(question)
	case line.AssignmentName:
		value, err := question.Assignment()
		if err != nil {
			return nil, err
		}
		request := sarama.SyncGroupRequest{}
		err = request.AddGroupAssignmentMember(member, &sarama.ConsumerGroupMemberAssignment{
			Version: question.Version, UserData: value.UserData,
			Topics: line.ByTopic[int32](value.AssignedPartitions),
		})
		if err != nil {
			return nil, err
		}
		return request.GroupAssignments[0].Assignment, nil
	case line.StickyName:
		value, err := question.Sticky()
		if err != nil {
			return nil, err
		}
		if question.Version != 1 {
			return nil, line.Unsupported("writes version 1 alone")
		}
		byTopic := line.ByTopic[int32](value.PreviousAssignment)
		return sarama.NewBalanceStrategySticky().AssignmentData(member, byTopic, value.Generation)
	}
	return nil, question.Unknown()
}

func join(question line.Question) ([]byte, error) {
	value, err := question.Subscription()
	if err != nil {
		return nil, err
	}
	made := sarama.ConsumerGroupMemberMetadata{
		Version: question.Version, Topics: value.Topics, UserData: value.UserData,
	}
	fields := reflect.ValueOf(&made).Elem()
	for name, given := range map[string]any{
		"GenerationID": value.GenerationID, "RackID": value.RackID,
	} {
		if field := fields.FieldByName(name); field.IsValid() {
			field.Set(reflect.ValueOf(given))
		} else if question.Version > 1 {
			return nil, line.Unsupported("has no " + name)
		}
	}
	for _, one := range value.OwnedPartitions {
		made.OwnedPartitions = append(made.OwnedPartitions, &sarama.OwnedPartition{
			Topic: one.Topic, Partitions: one.Partitions,
		})
	}
	request := sarama.JoinGroupRequest{}
	if err := request.AddGroupProtocolMetadata("range", &made); err != nil {
		return nil, err
	}
	return request.OrderedGroupProtocols[0].Metadata, nil
}
