// Package line is the loop of an adapter in Go: a question a line in, an answer a line out.
//
// A Go string holds whatever bytes stood on the wire, and JSON cannot say them: encoding/json shows
// each byte that is no UTF-8 as one U+FFFD. The clients themselves replace nothing.
package line

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"runtime/debug"
	"slices"
)

// The names of the definitions that kproto asks for.
const (
	SubscriptionName = "ConsumerProtocolSubscription"
	AssignmentName   = "ConsumerProtocolAssignment"
	StickyName       = "StickyAssignorUserData"
)

// Adapter is a client: what it is called, and its own code for reading and, if it has any, writing.
type Adapter struct {
	Client string
	Module string // whose version is the release
	Names  []string
	Decode func(Question) (Read, error)
	Encode func(Question) ([]byte, error)
}

// Question is one line in.
type Question struct {
	ID      json.RawMessage `json:"id"`
	Op      string          `json:"op"`
	Name    string          `json:"name"`
	Hex     string          `json:"hex"`
	Version int16           `json:"version"`
	Value   json.RawMessage `json:"value"`
	Data    []byte          `json:"-"`
}

// Value is what a client shows, by the names of Kafka's JSON form; what it does not show is left out.
type Value map[string]any

// Read is an answer to decode. Version is nil where the client does not tell the label.
type Read struct {
	Version *int16
	Value   Value
}

// Unsupported is an error for what a client has no API for.
type Unsupported string

func (what Unsupported) Error() string { return string(what) }

// Serve answers until standard input ends.
func Serve(adapter Adapter) {
	in, out := bufio.NewReader(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		text, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var question Question
		said, err := map[string]any{}, json.Unmarshal(text, &question)
		if err == nil {
			said, err = adapter.answer(question)
		}
		if err != nil {
			_, unsupported := err.(Unsupported)
			said = map[string]any{"ok": false, "error": err.Error()}
			if unsupported {
				said["unsupported"] = true
			}
		}
		said["id"] = question.ID
		if out.Encode(said) != nil {
			return
		}
	}
}

func (adapter Adapter) answer(question Question) (map[string]any, error) {
	switch question.Op {
	case "hello":
		ops := []string{"decode"}
		if adapter.Encode != nil {
			ops = append(ops, "encode")
		}
		return map[string]any{
			"ok": true, "protocol": 1, "client": adapter.Client, "release": release(adapter.Module),
			"names": adapter.Names, "ops": ops,
		}, nil
	case "decode":
		var err error
		if question.Data, err = hex.DecodeString(question.Hex); err != nil {
			return nil, err
		}
		read, err := adapter.Decode(question)
		if err != nil {
			return nil, err
		}
		said := map[string]any{"ok": true, "value": read.Value}
		if read.Version != nil {
			said["version"] = *read.Version
		}
		return said, nil
	case "encode":
		data, err := adapter.Encode(question)
		if err != nil {
			return nil, err
		}
		return map[string]any{"ok": true, "hex": hex.EncodeToString(data)}, nil
	}
	return nil, Unsupported("no such op: " + question.Op)
}

func release(module string) string {
	info, _ := debug.ReadBuildInfo()
	for _, dependency := range info.Deps {
		if dependency.Path == module {
			return dependency.Version[1:] // without the v
		}
	}
	return "unknown"
}

// Partitions are partitions of one topic.
type Partitions struct {
	Topic      string  `json:"topic"`
	Partitions []int32 `json:"partitions"`
}

// Subscription is the value of a question to encode.
type Subscription struct {
	Topics          []string     `json:"topics"`
	UserData        []byte       `json:"userData"`
	OwnedPartitions []Partitions `json:"ownedPartitions"`
	GenerationID    int32        `json:"generationId"`
	RackID          *string      `json:"rackId"`
}

// Assignment is the value of a question to encode.
type Assignment struct {
	AssignedPartitions []Partitions `json:"assignedPartitions"`
	UserData           []byte       `json:"userData"`
}

// Sticky is the value of a question to encode.
type Sticky struct {
	PreviousAssignment []Partitions `json:"previousAssignment"`
	Generation         int32        `json:"generation"`
}

// Subscription is the value, with Kafka's defaults for what it leaves out.
func (question Question) Subscription() (value Subscription, err error) {
	value.GenerationID = -1
	return value, json.Unmarshal(question.Value, &value)
}

// Assignment is the value.
func (question Question) Assignment() (value Assignment, err error) {
	return value, json.Unmarshal(question.Value, &value)
}

// Sticky is the value, with Kafka's defaults for what it leaves out.
func (question Question) Sticky() (value Sticky, err error) {
	value.Generation = -1
	return value, json.Unmarshal(question.Value, &value)
}

// Unknown is the error for a name that is not among the client's.
func (question Question) Unknown() error {
	return Unsupported(fmt.Sprintf("no %s for %s", question.Op, question.Name))
}

// List is a list in JSON, also where Go has none: that is how Go's clients keep an empty one.
func List[T any](items []T) []T {
	if items == nil {
		return []T{}
	}
	return items
}

// Entries are those of a map, which has no order, by topic.
func Entries[N int | int32](byTopic map[string][]N) []Value {
	entries := []Value{}
	for _, topic := range slices.Sorted(maps.Keys(byTopic)) {
		entries = append(entries, Value{"topic": topic, "partitions": List(byTopic[topic])})
	}
	return entries
}

// ByTopic is a map of entries: of two for one topic, it has the partitions of both.
func ByTopic[N int | int32](entries []Partitions) map[string][]N {
	byTopic := map[string][]N{}
	for _, entry := range entries {
		partitions := byTopic[entry.Topic]
		for _, partition := range entry.Partitions {
			partitions = append(partitions, N(partition))
		}
		byTopic[entry.Topic] = partitions
	}
	return byTopic
}
