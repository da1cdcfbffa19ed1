package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// size is how large a body is.
type size struct {
	name  string
	bytes int
}

func sizes() []size { return []size{{"4kb", 4 << 10}, {"50kb", 50 << 10}} }

// bodies makes submissions of one size, each of a call of its own. What is said
// differs from body to body, so that they compress as real ones do.
type bodies struct {
	before, after [][]byte
}

// variants is how many different conversations there are.
const variants = 64

// mark stands where the id of the call will.
const mark = "@call@"

func newBodies(seed uint64, n int) bodies {
	random := rand.New(rand.NewPCG(seed, uint64(n))) //nolint:gosec // what is said is no secret
	var b bodies
	for range variants {
		before, after, _ := bytes.Cut(conversation(random, n), []byte(mark))
		b.before, b.after = append(b.before, before), append(b.after, after)
	}
	return b
}

// of is the body of the i-th call.
func (b bodies) of(i int64, id string) []byte {
	k := i % variants
	return slicesConcat(b.before[k], []byte(id), b.after[k])
}

func slicesConcat(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

func conversation(random *rand.Rand, n int) []byte {
	type object = map[string]any
	var messages []object
	begun, at := 1_760_000_000_000+random.Int64N(1e9), int64(0)
	whole := func() []byte {
		text, err := json.Marshal(object{
			"provider": "custom", "metadata": object{"agent_name": "Front desk", "campaign": "spring", "ticket": strconv.Itoa(random.IntN(1e6))},
			"externalAgentId": "front-desk",
			"payload": object{
				"call_id": mark, "recording_url": "https://recordings.example.org/" + strconv.Itoa(random.IntN(1e9)) + ".wav",
				"from_number": "+1555" + strconv.Itoa(1_000_000+random.IntN(8_999_999)), "to_number": "+15550199",
				"start_timestamp": begun, "end_timestamp": begun + at + random.Int64N(1e5), "status": "ended",
				"transcript": object{"kind": "chat_completion", "messages": messages},
			},
		})
		if err != nil {
			panic(err) // it is made of texts and numbers
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
	return whole()
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
