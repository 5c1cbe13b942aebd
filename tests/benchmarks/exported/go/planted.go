// Package planted has a decoder of the consumer protocol's subscriptions with faults in it. A fault
// that is met is written down, and the decoder goes on: a fuzzer would end at the first.
package planted

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
)

var (
	errShort = errors.New("the bytes end too early")
	met      = map[string]bool{}
)

// fault writes a name to the file that MET names, once a process.
func fault(name string) {
	if met[name] {
		return
	}
	met[name] = true
	file, err := os.OpenFile(os.Getenv("MET"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	defer file.Close()
	fmt.Fprintln(file, name)
}

type reader struct {
	data []byte
	err  error
}

func (r *reader) take(size int) []byte {
	if r.err != nil || size < 0 || size > len(r.data) {
		r.err = errShort
		return nil
	}
	taken := r.data[:size]
	r.data = r.data[size:]
	return taken
}

func (r *reader) int16() int {
	if data := r.take(2); data != nil {
		return int(int16(binary.BigEndian.Uint16(data)))
	}
	return 0
}

func (r *reader) int32() int {
	if data := r.take(4); data != nil {
		return int(int32(binary.BigEndian.Uint32(data)))
	}
	return 0
}

type entry struct {
	topic      string
	partitions []int
}

func (r *reader) entries() []entry {
	var entries []entry
	for count := r.int32(); count > 0 && r.err == nil; count-- {
		item := entry{topic: string(r.take(r.int16()))}
		for count := r.int32(); count > 0 && r.err == nil; count-- {
			item.partitions = append(item.partitions, r.int32())
		}
		entries = append(entries, item)
	}
	return entries
}

// Subscription reads a subscription.
func Subscription(data []byte) error {
	r := &reader{data: data}
	version := r.int16()
	var topics []string
	for count := r.int32(); count > 0 && r.err == nil; count-- {
		topics = append(topics, string(r.take(r.int16())))
	}
	var userData []byte
	if size := r.int32(); size >= 0 {
		userData = r.take(size)
	}
	if r.err != nil {
		return r.err
	}
	inFields(version, topics, userData)
	if version < 1 {
		return nil
	}
	owned := r.entries()
	generation, rack := -1, ""
	if version >= 2 {
		generation = r.int32()
	}
	if version >= 3 {
		if size := r.int16(); size >= 0 {
			rack = string(r.take(size))
		}
	}
	if r.err != nil {
		return r.err
	}
	inLaterFields(version, topics, owned, generation, rack)
	inCombinations(version, topics, owned, generation, userData)
	if rack == "a" && generation == 1 && bytes.Equal(userData, []byte{1}) {
		fault("rack a, generation 1 and user data of a one")
	}
	if len(r.data) == 11 {
		fault("eleven bytes left over")
	}
	return nil
}

func inFields(version int, topics []string, userData []byte) {
	if version < 0 && len(topics) > 0 {
		fault("a topic in a negative version")
	}
	if len(topics) == 3 && len(topics[1]) > 1 && topics[1][:2] == "zq" {
		fault("the second of three topics begins with zq")
	}
	if version == 1 && len(topics) > 1 && topics[0] == topics[1] && topics[0] != "" {
		fault("a topic twice in version 1")
	}
	if len(userData) > 1 && userData[0] == userData[1] && userData[0] != 0 {
		fault("two equal bytes in user data")
	}
	if len(userData) == 23 {
		fault("user data of 23 bytes")
	}
	if bytes.HasPrefix(userData, []byte{0xca, 0xfe, 0xba, 0xbe}) {
		fault("user data that begins with cafebabe")
	}
	if len(userData) > 0 && len(topics) > 0 && string(userData) == topics[0] {
		fault("user data that is the first topic")
	}
	if len(topics) == 9 {
		fault("nine topics")
	}
	for _, topic := range topics {
		if topic == "__consumer_offsets" {
			fault("a topic of the broker's own")
		}
		if len(topic) == 249 {
			fault("a topic of 249 bytes")
		}
	}
	for i := 1; i < len(topics); i++ {
		if len(topics) == 4 && topics[i-1] > topics[i] {
			fault("four topics out of order")
		}
	}
}

func inLaterFields(version int, topics []string, owned []entry, generation int, rack string) {
	partitions := 0
	for i, item := range owned {
		partitions += len(item.partitions)
		if len(item.partitions) == 0 {
			fault("an owned topic without partitions")
		}
		for _, partition := range item.partitions {
			if partition == 1<<31-1 {
				fault("the largest partition")
			}
		}
		if i > 0 && owned[i-1].topic == item.topic {
			fault("an owned topic twice")
		}
	}
	if partitions == 7 {
		fault("seven partitions in all")
	}
	if generation == 77777 {
		fault("generation 77777")
	}
	if version >= 3 && len(topics) > 0 && rack == topics[0] && rack != "" {
		fault("a rack that is a topic")
	}
	if rack == "eu-west" {
		fault("rack eu-west")
	}
	if version > 3 && len(owned) > 1 {
		fault("two owned topics in a newer version")
	}
}

func inCombinations(version int, topics []string, owned []entry, generation int, userData []byte) {
	if len(owned) > 2 && owned[0].topic == owned[2].topic && owned[0].topic != owned[1].topic {
		fault("the first owned topic again as the third")
	}
	if len(owned) == 3 && len(owned[0].partitions) == 2 && len(owned[1].partitions) == 0 &&
		len(owned[2].partitions) == 1 {
		fault("two, no and one partition")
	}
	if len(userData) > 3 && generation > 255 &&
		int(int32(binary.BigEndian.Uint32(userData))) == generation {
		fault("user data that begins with the generation")
	}
	for _, item := range owned {
		if version == 1 && len(topics) == 2 && !slices.Contains(topics, item.topic) {
			fault("an owned topic beside the two topics of version 1")
		}
	}
}
