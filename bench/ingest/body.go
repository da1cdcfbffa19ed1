package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

// size is the size of bodies.
type size struct {
	name  string
	bytes int
}

func sizes() []size { return []size{{"4kb", 4 << 10}, {"50kb", 50 << 10}} }

// bodies makes submissions of one size, each for a different call. What is said differs from body
// to body, so that they compress like real ones.
type bodies struct {
	variants []variant
	// over is the period before now in which the calls ended; 0 means that each is reported as it
	// ends.
	over time.Duration
}

// variant is a conversation: what comes before, between and after the id of its call, its end and
// its beginning, and how many milliseconds it lasts.
type variant struct {
	parts  [4][]byte
	length int64
}

// variants is the number of different conversations.
const variants = 64

// mark is the place of the call's id, endMark and beginMark those of its times.
const mark, endMark, beginMark = "@call@", `"@end@"`, `"@begin@"`

func newBodies(seed uint64, n int, over time.Duration) bodies {
	random := rand.New(rand.NewPCG(seed, uint64(n))) //nolint:gosec // the contents are not secret
	b := bodies{over: over}
	for range variants {
		text, length := conversation(random, n)
		v := variant{length: length}
		for i, m := range []string{mark, endMark, beginMark} {
			v.parts[i], text, _ = bytes.Cut(text, []byte(m))
		}
		v.parts[len(v.parts)-1] = text
		b.variants = append(b.variants, v)
	}
	return b
}

// of returns the body of the i-th call.
func (b bodies) of(i int64, id string, now time.Time) []byte {
	v := b.variants[i%variants]
	end := now.UnixMilli()
	if b.over > 0 {
		end -= rand.Int64N(b.over.Milliseconds()) //nolint:gosec // the time of a call is not secret
	}
	out := make([]byte, 0, len(v.parts[0])+len(v.parts[1])+len(v.parts[2])+len(v.parts[3])+len(id)+2*len("1760000000000"))
	out = append(append(out, v.parts[0]...), id...)
	out = strconv.AppendInt(append(out, v.parts[1]...), end, 10)
	out = strconv.AppendInt(append(out, v.parts[2]...), end-v.length, 10)
	return append(out, v.parts[3]...)
}

// conversation returns a call log with the marks in it, and how many milliseconds the call lasts.
func conversation(random *rand.Rand, n int) (text []byte, length int64) {
	type object = map[string]any
	var messages []object
	var at int64
	after := random.Int64N(1e5)
	whole := func() []byte {
		text, err := json.Marshal(object{
			"provider": "custom", "metadata": object{"agent_name": "Front desk", "campaign": "spring", "ticket": strconv.Itoa(random.IntN(1e6))},
			"externalAgentId": "front-desk",
			"payload": object{
				"call_id": mark, "recording_url": "https://recordings.example.org/" + strconv.Itoa(random.IntN(1e9)) + ".wav",
				"from_number": "+1555" + strconv.Itoa(1_000_000+random.IntN(8_999_999)), "to_number": "+15550199",
				"start_timestamp": json.RawMessage(beginMark), "end_timestamp": json.RawMessage(endMark), "status": "ended",
				"transcript": object{"kind": "chat_completion", "messages": messages},
			},
		})
		if err != nil {
			panic(err) // it consists of texts and numbers
		}
		return text
	}
	for i := 0; len(whole()) < n-200; i++ {
		at += 1500 + random.Int64N(4000)
		role := "assistant"
		if i%2 == 1 {
			role = "user"
		}
		m := object{"role": role, "start": at, "content": sentence(random)}
		if i%7 == 6 {
			id := "t" + strconv.Itoa(i)
			m["role"], m["tool_calls"] = "assistant", []object{{"id": id, "type": "function", "function": object{
				"name": "find_slot", "arguments": fmt.Sprintf(`{"day":%d,"hour":%d}`, random.IntN(31), random.IntN(24)),
			}}}
			messages = append(messages, m, object{"role": "tool", "tool_call_id": id, "content": `{"free":true}`})
			continue
		}
		messages = append(messages, m)
	}
	return whole(), at + after
}

func sentence(random *rand.Rand) string {
	const words = `I you we the a to and of is it in for on my your have can do what that this with not at be are me so just ` +
		`appointment tomorrow morning afternoon number name please thanks sorry again already told order invoice payment account address ` +
		`doctor office cancel change book confirm wait help person speak understand repeat phone email later today week Monday Friday`
	list := strings.Fields(words)
	out := make([]string, 6+random.IntN(14))
	for i := range out {
		out[i] = list[random.IntN(len(list))]
	}
	return strings.Join(out, " ") + "."
}
