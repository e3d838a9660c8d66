// Package adapter is the adapter's side of dra-conform's protocol, for programs around code of Kubernetes.
package adapter

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

const maxLine = 64 << 20

// errBye ends the reading of lines without a failure.
var errBye = errors.New("bye")

// EachLine answers each line of stdin by one line of JSON on stdout, flushed. An error of `answer` ends it.
func EachLine(answer func(line []byte) (any, error)) error {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(make([]byte, 1<<16), maxLine)
	out := bufio.NewWriter(os.Stdout)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for in.Scan() {
		reply, err := answer(in.Bytes())
		if errors.Is(err, errBye) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := encoder.Encode(reply); err != nil {
			return err
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
	if err := in.Err(); err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read stdin: %w", err)
	}
	return nil
}
