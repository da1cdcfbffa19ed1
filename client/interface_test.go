package client

import (
	"encoding/json"
	"maps"
	"net/url"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// document is what of docs/openapi.json the client is held against.
type document struct {
	Paths map[string]map[string]struct {
		Parameters []struct{ Name, In string }
	}
	Components struct {
		Schemas map[string]struct{ Properties map[string]json.RawMessage }
	}
}

func readDocument(t *testing.T) (d document) {
	t.Helper()
	text, err := os.ReadFile("../docs/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// TestCallFilterKnowsEveryParameter: the client narrows a list of calls by all that the interface does.
func TestCallFilterKnowsEveryParameter(t *testing.T) {
	t.Parallel()
	var f CallFilter
	for _, field := range reflect.ValueOf(&f).Elem().Fields() {
		switch field.Interface().(type) {
		case string:
			field.SetString("x")
		case bool:
			field.SetBool(true)
		case int64:
			field.SetInt(7)
		case []int:
			field.Set(reflect.ValueOf([]int{2, 11}))
		case map[string]string:
			field.Set(reflect.ValueOf(map[string]string{"KEY": "x"}))
		default:
			t.Fatalf("a field of kind %s", field.Type())
		}
	}
	c, s := script(t, answer(200, `{"data":[]}`))
	if _, err := c.Calls(t.Context(), f, PageOptions{Limit: 3, Cursor: "c"}); err != nil {
		t.Fatal(err)
	}
	want := url.Values{}
	for _, p := range readDocument(t).Paths["/calls"]["get"].Parameters {
		want.Set(p.Name, "x")
	}
	for name, value := range map[string]string{
		"limit": "3", "cursor": "c", "from": "7", "until": "7", "left_early": "true", "failing": "true", "left_words": "2,11", "failing_alike": "2,11",
	} {
		want.Set(name, value)
	}
	if got := s.requests[0].URL.Query(); !reflect.DeepEqual(got, want) {
		t.Errorf("asked for %v, want %v", got, want)
	}
}

// TestExperimentFilterKnowsEveryParameter: so it is with a list of experiments.
func TestExperimentFilterKnowsEveryParameter(t *testing.T) {
	t.Parallel()
	var f ExperimentFilter
	for _, field := range reflect.ValueOf(&f).Elem().Fields() {
		field.SetString("x")
	}
	c, s := script(t, answer(200, `{"data":[]}`))
	if _, err := c.Experiments(t.Context(), f, PageOptions{Limit: 3, Cursor: "c"}); err != nil {
		t.Fatal(err)
	}
	got := s.requests[0].URL.Query()
	for _, p := range readDocument(t).Paths["/voice-experiments"]["get"].Parameters {
		if !got.Has(p.Name) {
			t.Errorf("%s cannot be asked for", p.Name)
		}
	}
}

// TestTheValueZeroIsAsked: platforms count versions of an agent from 0, and the calls of that version can be asked for.
func TestTheValueZeroIsAsked(t *testing.T) {
	t.Parallel()
	c, s := script(t, answer(200, `{}`))
	if _, err := c.Failures(t.Context(), MonitorQuery{Dimension: "agent_version", Value: "0"}, 0); err != nil {
		t.Fatal(err)
	}
	if got := s.requests[0].URL.RawQuery; got != "dimension=agent_version&value=0" {
		t.Errorf("asked for %s", got)
	}
}

// TestKeysAreTakenWhereTheyHold: a method takes an IdempotencyKey where the operation obeys it, and nowhere else: a
// request that carries one is sent again, and would make two things of one.
func TestKeysAreTakenWhereTheyHold(t *testing.T) {
	t.Parallel()
	obey := map[string]bool{}
	for path, methods := range readDocument(t).Paths {
		for _, p := range methods["post"].Parameters {
			if p.Name == "Idempotency-Key" {
				obey[template.ReplaceAllString(path, "x")] = true
			}
		}
	}
	delete(obey, "/v2/call-logs") // a call log is known by its own id
	of := reflect.TypeFor[*Client]()
	for method := range of.Methods() {
		kind := method.Func.Type()
		if last := kind.In(kind.NumIn() - 1); !kind.IsVariadic() || last != reflect.TypeFor[[]CallOption]() {
			continue
		}
		c, s := script(t, answer(200, `{}`))
		given := []reflect.Value{reflect.ValueOf(c), reflect.ValueOf(t.Context())}
		for i := 2; i < kind.NumIn()-1; i++ {
			value := reflect.New(kind.In(i)).Elem()
			if value.Kind() == reflect.String {
				value.SetString("x")
			}
			given = append(given, value)
		}
		answers := method.Func.Call(append(given, reflect.ValueOf(IdempotencyKey("k"))))
		if err := answers[len(answers)-1].Interface(); err != nil {
			t.Errorf("%s: %v", method.Name, err)
			continue
		}
		path := strings.TrimPrefix(s.requests[0].URL.Path, basePath)
		if !obey[path] {
			t.Errorf("%s takes a key that %s does not obey", method.Name, path)
		}
		delete(obey, path)
	}
	if len(obey) != 0 {
		t.Errorf("no method takes the key of %v", slices.Collect(maps.Keys(obey)))
	}
}

// template is what stands in a path for an id.
var template = regexp.MustCompile(`\{[^}]+\}`)

// TestTypesHoldWhatTheInterfaceTells: no property of an answer is lost on its way through the client, but for
// those named here: "you" says who asks, and a key is nobody.
func TestTypesHoldWhatTheInterfaceTells(t *testing.T) {
	t.Parallel()
	schemas := readDocument(t).Components.Schemas
	for name, of := range map[string]struct {
		answer any
		left   []string
	}{
		"CallDetail": {Call{}, nil}, "CallLogRecord": {CallLogRecord{}, nil}, "Experiment": {Experiment{}, nil}, "ExperimentPlan": {ExperimentPlan{}, nil}, "ExperimentScorer": {ExperimentScorer{}, nil}, "Member": {Member{}, []string{"you"}}, "Invitation": {Invitation{}, nil},
		"Overview": {Overview{}, nil}, "Failures": {Failures{}, nil}, "FailureGroup": {FailureGroup{}, nil}, "DropOff": {DropOff{}, nil}, "Breakdown": {Breakdown{}, nil},
		"MonitorDimensions": {MonitorDimensions{}, nil}, "ScenarioCompared": {ScenarioCompared{}, nil}, "ScenarioResult": {ScenarioResult{}, nil},
		"ItemsFromCalls": {ItemsFromCalls{}, nil}, "SavedView": {SavedView{}, nil}, "Dataset": {Dataset{}, nil}, "Agent": {Agent{}, nil},
		"Scorer": {Scorer{}, nil}, "Prompt": {Prompt{}, nil}, "Replay": {Replay{}, nil}, "CallAudio": {Audio{}, nil}, "Speech": {Speech{}, nil}, "VerdictCounts": {VerdictCounts{}, nil},
		"CallTurn": {Turn{}, nil}, "ExperimentResults": {Results{}, nil}, "ExperimentComparison": {Comparison{}, nil}, "CallResult": {CallResult{}, nil}, "ScorerResult": {ScorerResult{}, nil},
		"MetricResult": {MetricResult{}, nil}, "MetricStat": {MetricStat{}, nil}, "MetricBin": {MetricBin{}, nil}, "VoidReason": {VoidReason{}, nil},
		"ScorerCompared": {ScorerCompared{}, nil}, "MetricCompared": {MetricCompared{}, nil}, "MetricSide": {MetricSide{}, nil}, "RateCompared": {RateCompared{}, nil},
		"Score": {Score{}, nil}, "CallScore": {CallScore{}, nil}, "CallAttempt": {Attempt{}, nil}, "CallEvent": {Happening{}, nil}, "Feeling": {Feeling{}, nil}, "TurnFeeling": {TurnFeeling{}, nil},
		"EventData": {Event{}, nil}, "Reported": {Reported{}, nil}, "Anomaly": {Anomaly{}, nil}, "RunEstimate": {Estimate{}, nil}, "AgentDefaults": {AgentDefaults{}, nil},
		"Trends": {Trends{}, nil}, "UpsetCallers": {UpsetCallers{}, nil}, "ExperimentCost": {Cost{}, nil}, "Trunk": {Trunk{}, nil}, "APIKey": {APIKey{}, nil}, "AgentSynced": {AgentSynced{}, nil},
	} {
		told, held := schemas[name].Properties, map[string]bool{"$schema": true}
		if len(told) == 0 {
			t.Errorf("the interface has no %s", name)
		}
		keysOf(reflect.TypeOf(of.answer), held)
		for _, property := range slices.Sorted(maps.Keys(told)) {
			if held[property] == slices.Contains(of.left, property) {
				t.Errorf("%s.%s: held %v", name, property, held[property])
			}
		}
	}
}

// keysOf adds the keys that a struct is read from.
func keysOf(of reflect.Type, held map[string]bool) {
	for field := range of.Fields() {
		if field.Anonymous {
			keysOf(field.Type, held)
			continue
		}
		key, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		held[key] = true
	}
}
