// Prints each message of standard input, a line of hex each, in every style, and then a separator.
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
)

type member struct {
	ID      string
	Payload []byte
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), 1<<24)
	for lines.Scan() {
		data, _ := hex.DecodeString(lines.Text())
		object, _ := json.Marshal(member{"consumer-1", data})
		styles := []struct{ name, text string }{
			{"%v", fmt.Sprintf("%v", data)},
			{"%x", fmt.Sprintf("%x", data)},
			{"%X", fmt.Sprintf("%X", data)},
			{"% x", fmt.Sprintf("% x", data)},
			{"%#x", fmt.Sprintf("%#x", data)},
			{"% #x", fmt.Sprintf("% #x", data)},
			{"%q", fmt.Sprintf("%q", data)},
			{"%+q", fmt.Sprintf("%+q", data)},
			{"%#v", fmt.Sprintf("%#v", data)},
			{"%#v of a string", fmt.Sprintf("%#v", string(data))},
			{"%+v of a struct", fmt.Sprintf("%+v", member{"consumer-1", data})},
			{"%#v of a struct", fmt.Sprintf("%#v", member{"consumer-1", data})},
			{"hex.Dump", hex.Dump(data)},
			{"encoding/base64", base64.StdEncoding.EncodeToString(data)},
			{"encoding/json", string(object)},
		}
		for _, style := range styles {
			fmt.Printf("%s\x1f%s\x1e", style.name, style.text)
		}
	}
}
