// An adapter: it answers the questions of `kproto conform` with the two calls in calls.go.
package main

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
)

// Message has the fields of both messages. Set Shown to the names of those that your client shows
// (in Kafka's JSON form: topics, userData, ownedPartitions, generationId, rackId,
// assignedPartitions); if it is nil, all fields of the message are shown.
type Message struct {
	Version            *int16       // the number that stands in the bytes
	Topics             []string     // of a subscription, as the next four
	OwnedPartitions    []Partitions //
	GenerationID       int32        // -1: none
	RackID             *string      // nil: null
	UserData           []byte       // of both; nil: null
	AssignedPartitions []Partitions // of an assignment
	Remainder          []byte       // the bytes that were left unread; nil: the client does not say
	Shown              []string
}

// Partitions are partitions of one topic.
type Partitions struct {
	Topic      string  `json:"topic"`
	Partitions []int32 `json:"partitions"`
}

// Unsupported is the error for what a client has no way to do.
type Unsupported string

func (what Unsupported) Error() string { return string(what) }

type question struct {
	ID      json.RawMessage `json:"id"`
	Op      string          `json:"op"`
	Name    string          `json:"name"`
	Hex     string          `json:"hex"`
	Version int16           `json:"version"`
	Value   struct {
		Topics             []string     `json:"topics"`
		UserData           []byte       `json:"userData"`
		OwnedPartitions    []Partitions `json:"ownedPartitions"`
		GenerationID       *int32       `json:"generationId"`
		RackID             *string      `json:"rackId"`
		AssignedPartitions []Partitions `json:"assignedPartitions"`
	} `json:"value"`
}

func main() {
	in, out := bufio.NewReader(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var asked question
		reply := map[string]any{}
		if err = json.Unmarshal(line, &asked); err == nil {
			reply, err = answer(asked)
		}
		if err != nil {
			reply = map[string]any{"ok": false, "error": err.Error()}
			var unsupported Unsupported
			if errors.As(err, &unsupported) {
				reply["unsupported"] = true
			}
		}
		reply["id"] = asked.ID
		if out.Encode(reply) != nil {
			return
		}
	}
}

func answer(asked question) (map[string]any, error) {
	switch asked.Op {
	case "hello":
		return map[string]any{
			"ok": true, "protocol": 1, "client": client, "release": release, "names": names,
			"ops": []string{"decode", "encode"},
		}, nil
	case "decode":
		data, err := hex.DecodeString(asked.Hex)
		if err != nil {
			return nil, err
		}
		message, err := decode(asked.Name, data)
		if err != nil {
			return nil, err
		}
		reply := map[string]any{"ok": true, "value": fields(asked.Name, message)}
		if message.Version != nil {
			reply["version"] = *message.Version
		}
		if message.Remainder != nil {
			reply["remainder"] = hex.EncodeToString(message.Remainder)
		}
		return reply, nil
	case "encode":
		value := asked.Value
		message := Message{
			Version: &asked.Version, Topics: value.Topics, UserData: value.UserData,
			OwnedPartitions: value.OwnedPartitions, GenerationID: -1, RackID: value.RackID,
			AssignedPartitions: value.AssignedPartitions,
		}
		if value.GenerationID != nil {
			message.GenerationID = *value.GenerationID
		}
		data, err := encode(asked.Name, asked.Version, message)
		if err != nil {
			return nil, err
		}
		return map[string]any{"ok": true, "hex": hex.EncodeToString(data)}, nil
	}
	return nil, Unsupported("no such op: " + asked.Op)
}

func fields(name string, message Message) map[string]any {
	all := map[string]any{"userData": message.UserData}
	if name == "ConsumerProtocolAssignment" {
		all["assignedPartitions"] = entries(message.AssignedPartitions)
	} else {
		all["topics"] = list(message.Topics)
		all["ownedPartitions"] = entries(message.OwnedPartitions)
		all["generationId"] = message.GenerationID
		all["rackId"] = message.RackID
	}
	if message.Shown == nil {
		return all
	}
	shown := map[string]any{}
	for _, field := range message.Shown {
		shown[field] = all[field]
	}
	return shown
}

func entries(items []Partitions) []Partitions {
	for i := range items {
		items[i].Partitions = list(items[i].Partitions)
	}
	return list(items)
}

// list is a list in JSON, also where Go has nil for an empty one.
func list[T any](items []T) []T {
	if items == nil {
		return []T{}
	}
	return items
}
