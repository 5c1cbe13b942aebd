// A correct client of a few lines: what `kproto conform --init go` asks to be filled in.
package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
)

var (
	client  = "my-client"
	release = "1.0"
	names   = []string{"ConsumerProtocolSubscription", "ConsumerProtocolAssignment"}
)

type reader struct {
	data []byte
	err  error
}

func (r *reader) take(size int) []byte {
	if r.err == nil && (size < 0 || size > len(r.data)) {
		r.err = fmt.Errorf("%d bytes, %d left", size, len(r.data))
	}
	if r.err != nil {
		return make([]byte, 4)
	}
	taken := r.data[:size]
	r.data = r.data[size:]
	return taken
}

func (r *reader) int16() int { return int(int16(binary.BigEndian.Uint16(r.take(2)))) }
func (r *reader) int32() int { return int(int32(binary.BigEndian.Uint32(r.take(4)))) }

func (r *reader) text(size int) string {
	return strings.ToValidUTF8(string(r.take(size)), "\ufffd")
}

func items[T any](r *reader, item func() T) (list []T) {
	count := r.int32()
	if count < 0 && r.err == nil {
		r.err = fmt.Errorf("a count of %d", count)
	}
	for ; count > 0 && r.err == nil; count-- {
		list = append(list, item())
	}
	return list
}

func (r *reader) entries() []Partitions {
	number := func() int32 { return int32(r.int32()) }
	return items(r, func() Partitions { return Partitions{r.text(r.int16()), items(r, number)} })
}

func decode(name string, data []byte) (Message, error) {
	r := &reader{data: data}
	version := int16(r.int16())
	if version < 0 {
		return Message{}, fmt.Errorf("version %d", version)
	}
	message := Message{Version: &version, GenerationID: -1}
	if name == "ConsumerProtocolAssignment" {
		message.AssignedPartitions = r.entries()
	} else {
		message.Topics = items(r, func() string { return r.text(r.int16()) })
	}
	if size := r.int32(); size >= 0 {
		message.UserData = append([]byte{}, r.take(size)...)
	}
	if name == "ConsumerProtocolSubscription" && version >= 1 {
		message.OwnedPartitions = r.entries()
	}
	if name == "ConsumerProtocolSubscription" && version >= 2 {
		message.GenerationID = int32(r.int32())
	}
	if name == "ConsumerProtocolSubscription" && version >= 3 {
		if size := r.int16(); size >= 0 {
			rack := r.text(size)
			message.RackID = &rack
		}
	}
	message.Remainder = r.data
	return message, r.err
}

type writer struct {
	data []byte
	err  error
}

func (w *writer) int16(number int) {
	if number > math.MaxInt16 {
		w.err = fmt.Errorf("%d bytes of text", number)
	}
	w.data = binary.BigEndian.AppendUint16(w.data, uint16(number))
}

func (w *writer) int32(number int) {
	w.data = binary.BigEndian.AppendUint32(w.data, uint32(number))
}

func (w *writer) text(text string) {
	w.int16(len(text))
	w.data = append(w.data, text...)
}

func (w *writer) entries(entries []Partitions) {
	w.int32(len(entries))
	for _, entry := range entries {
		w.text(entry.Topic)
		w.int32(len(entry.Partitions))
		for _, partition := range entry.Partitions {
			w.int32(int(partition))
		}
	}
}

func encode(name string, version int16, message Message) ([]byte, error) {
	if version < 0 || version > 3 {
		return nil, fmt.Errorf("version %d", version)
	}
	w := &writer{}
	w.int16(int(version))
	if name == "ConsumerProtocolAssignment" {
		w.entries(message.AssignedPartitions)
	} else {
		w.int32(len(message.Topics))
		for _, topic := range message.Topics {
			w.text(topic)
		}
	}
	if message.UserData == nil {
		w.int32(-1)
	} else {
		w.int32(len(message.UserData))
		w.data = append(w.data, message.UserData...)
	}
	if name == "ConsumerProtocolSubscription" && version >= 1 {
		w.entries(message.OwnedPartitions)
	}
	if name == "ConsumerProtocolSubscription" && version >= 2 {
		w.int32(int(message.GenerationID))
	}
	if name == "ConsumerProtocolSubscription" && version >= 3 {
		if message.RackID == nil {
			w.int16(-1)
		} else {
			w.text(*message.RackID)
		}
	}
	return w.data, w.err
}
