package api

import (
	"bytes"
	"encoding/json"

	"github.com/ringtrue/ringtrue/internal/live"
)

// LiveCall is what a running call did since the message before. The first message
// about a call holds everything that was said before, too.
type LiveCall struct {
	Kind              string      `json:"kind" enum:"live" doc:"Also the event name of the message"`
	VoiceExperimentID string      `json:"voice_experiment_id" doc:"The experiment that the call belongs to"`
	CallID            string      `json:"call_id" doc:"The call"`
	State             string      `json:"state" enum:"dialing,ringing,answered,over" doc:"How far the call is"`
	TimeMS            int64       `json:"t_ms" doc:"The message tells what happened up to here, milliseconds since the answer; 0 before it"`
	Outline           LiveOutline `json:"outline" doc:"How loud both sides were since the message before"`
	Said              []LiveSaid  `json:"said" doc:"What was said since the message before: the caller's lines once they have been said, and what the caller understood of the agent, where it listens for words"`
}

// LiveOutline is how loud both sides were.
type LiveOutline struct {
	FromMS int64     `json:"from_ms" doc:"Start of the outline, milliseconds since the answer"`
	StepMS int64     `json:"step_ms" doc:"Milliseconds that each number covers"`
	Caller []float64 `json:"caller" doc:"Loudest sample of each step, 0 to 1"`
	Agent  []float64 `json:"agent" doc:"The same for the agent"`
}

// LiveSaid is something that was said.
type LiveSaid struct {
	Speaker string `json:"speaker" enum:"caller,agent" doc:"Who said it"`
	Text    string `json:"text" doc:"What was said, or understood"`
	StartMS int64  `json:"start_ms" doc:"When it began, milliseconds since the answer"`
	EndMS   int64  `json:"end_ms" doc:"When it ended, milliseconds since the answer; 0 when it is not known"`
}

func writeLive(text *bytes.Buffer, m live.Message) {
	out := LiveCall{
		Kind: "live", VoiceExperimentID: m.ExperimentID, CallID: m.CallID, State: m.State, TimeMS: m.At.Milliseconds(),
		Outline: LiveOutline{FromMS: m.From.Milliseconds(), StepMS: live.Step.Milliseconds(), Caller: orEmpty(m.Caller), Agent: orEmpty(m.Agent)},
		Said:    []LiveSaid{},
	}
	for _, s := range m.Said {
		out.Said = append(out.Said, LiveSaid{Speaker: string(s.Speaker), Text: s.Text, StartMS: s.Start.Milliseconds(), EndMS: s.End.Milliseconds()})
	}
	data, err := json.Marshal(out)
	if err != nil {
		return // it holds nothing that cannot be written
	}
	text.WriteString("event: live\ndata: ")
	text.Write(data)
	text.WriteString("\n\n")
}
