package app

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// reach is how an operation can name things: the kind of each parameter of its
// path, a body that fits, and every other place that can hold an id or a name.
type reach struct {
	// path says what each parameter of the path is, by its name: agent, dataset,
	// item, slug, run, call, or "" when it names nothing of a workspace.
	path map[string]string
	// query is added to the path, body is what is sent; $agent, $dataset, $item,
	// $slug, $run, $call and $source stand for what the asking workspace has.
	query, body string
	// inside are requests by the owner of nothing: places other than the path
	// that name things. In them the names stand for the other workspace's.
	inside []inside
	// person says that keys may not ask; a person who is signed in does.
	person bool
}

// as is the tenant in whose name the operation can be asked for.
func (row reach) as(w tenant) tenant {
	w.signedIn = row.person
	return w
}

// inside is a request that names a thing of another workspace in its query or body.
type inside struct {
	query, body string
	status      int
	// places are the fields that must be blamed; nil means that the answer is a success.
	places []string
	// answer must be in a success: proof that nothing of the other is in it.
	answer string
}

// reaches has a row for every operation there is.
func reaches() map[string]reach {
	dataset := map[string]string{"id": "dataset"}
	item := map[string]string{"id": "dataset", "item_id": "item"}
	agent := map[string]string{"id": "agent"}
	call := map[string]string{"id": "call"}
	replay := map[string]string{"id": "replay"}
	run := map[string]string{"id": "run"}
	short := map[string]string{"voice_experiment_id": "run"}
	slug := map[string]string{"slug": "slug"}
	label := map[string]string{"slug": "slug", "label": ""}
	const script = `{"input":{"script":["wait_for_agent","hang_up"]}}`
	none := `{"data":[],"next_cursor":null}`
	defaults := []inside{
		{body: `{"name":"x","defaults":{"caller_prompt":"$slug","scorers":["$slug","$slug@1"]}}`, status: 422,
			places: []string{"defaults.caller_prompt", "defaults.scorers[0]", "defaults.scorers[1]"}},
	}
	return map[string]reach{
		"list-agents":           {},
		"create-agent":          {inside: defaults},
		"get-agent":             {path: agent},
		"update-agent":          {path: agent, body: `{"name":"taken"}`, inside: defaults},
		"delete-agent":          {path: agent},
		"list-datasets":         {},
		"create-dataset":        {},
		"get-dataset":           {path: dataset},
		"update-dataset":        {path: dataset, body: `{"name":"taken"}`},
		"delete-dataset":        {path: dataset},
		"list-dataset-versions": {path: dataset},
		"import-dataset-items":  {path: dataset, query: "mode=replace", body: `[` + script + `]`},
		"list-dataset-items": {path: dataset, inside: []inside{
			{query: "cursor=$item", status: 422, places: []string{"query.cursor"}},
		}},
		"add-dataset-items": {path: dataset, body: script},
		"get-dataset-item":  {path: item},
		"replace-dataset-item": {path: item, body: script, inside: []inside{
			{body: `{"id":"$item","input":{"script":["hang_up"]}}`, status: 422, places: []string{"id"}},
		}},
		"delete-dataset-item": {path: item},
		"make-items-from-calls": {path: map[string]string{"id": "dataset"}, body: `{"call_ids":["$call"]}`, inside: []inside{
			{body: `{"call_ids":["$call"]}`, status: 422, places: []string{"call_ids[0]"}},
		}},
		"list-prompts":         {},
		"create-prompt":        {},
		"get-prompt":           {path: slug},
		"list-prompt-versions": {path: slug},
		"label-prompt":         {path: label, body: `{"version":1}`},
		"list-scorers":         {},
		"create-scorer":        {},
		"get-scorer":           {path: slug},
		"list-scorer-versions": {path: slug},
		"label-scorer":         {path: label, body: `{"version":1}`},
		"list-scorer-kinds":    {},
		"try-scorer": {body: `{"kind":"say","params":{"phrase":"x"},"call_id":"$call"}`, inside: []inside{
			{body: `{"kind":"say","params":{"phrase":"x"},"call_id":"$call"}`, status: 422, places: []string{"call_id"}},
		}},
		"preview-scorer": {path: slug, body: `{"call_id":"$call"}`},
		"run-voice-agent": {
			path: map[string]string{"agent_id": "agent"}, body: `{"to_number":"+15550123","dataset_id":"$dataset"}`,
			inside: []inside{{body: `{"to_number":"+15550123","dataset_id":"$dataset"}`, status: 422, places: []string{"dataset_id"}}},
		},
		"estimate-run": {
			path: map[string]string{"agent_id": "agent"}, body: `{"to_number":"+15550123","dataset_id":"$dataset"}`,
			inside: []inside{{body: `{"to_number":"+15550123","dataset_id":"$dataset"}`, status: 422, places: []string{"dataset_id"}}},
		},
		"create-media-rooms": {inside: []inside{
			{body: `{"datasetId":"$dataset"}`, status: 422, places: []string{"datasetId"}},
			{body: `{"datasetId":"$dataset","agentId":"$agent"}`, status: 422, places: []string{"agentId"}},
		}},
		"get-voice-experiment-status": {path: short},
		"get-voice-experiment-calls":  {path: short},
		"list-voice-experiments": {inside: []inside{
			{query: "agent_id=$agent", status: 200, answer: none}, {query: "dataset_id=$dataset", status: 200, answer: none},
		}},
		"get-voice-experiment":         {path: run},
		"get-voice-experiment-report":  {path: run, query: "format=junit"},
		"get-voice-experiment-results": {path: run},
		"compare-voice-experiments": {inside: []inside{
			{query: "base=$run&with=$run", status: 404, places: []string{"query.base"}},
		}},
		"cancel-voice-experiment": {path: run},
		"rerun-voice-experiment":  {path: run},
		"list-calls": {inside: []inside{
			{query: "agent_id=$agent", status: 200, answer: none}, {query: "voice_experiment_id=$run", status: 200, answer: none},
			{query: "dataset_item_id=$item", status: 200, answer: none}, {query: "search=$call", status: 200, answer: none},
		}},
		"check-dataset-items":       {},
		"list-trunks":               {},
		"get-prices":                {},
		"set-prices":                {},
		"list-saved-views":          {},
		"create-saved-view":         {},
		"update-saved-view":         {path: map[string]string{"id": "view"}, body: `{"name":"taken"}`},
		"delete-saved-view":         {path: map[string]string{"id": "view"}},
		"monitoring-overview":       {inside: []inside{{query: "agent_id=$agent", status: 200, answer: `"calls":0`}}},
		"monitoring-trends":         {inside: []inside{{query: "origin=simulated&agent_id=$agent", status: 200, answer: `"calls":0`}}},
		"monitoring-anomalies":      {inside: []inside{{query: "agent_id=$agent", status: 200, answer: `"anomalies":[]`}}},
		"monitoring-failures":       {inside: []inside{{query: "origin=simulated&agent_id=$agent", status: 200, answer: `"groups":[]`}}},
		"monitoring-drop-off":       {inside: []inside{{query: "origin=simulated&agent_id=$agent", status: 200, answer: `"count":0,"of":0`}}},
		"monitoring-upset":          {inside: []inside{{query: "origin=simulated&agent_id=$agent", status: 200, answer: `"data":[]`}}},
		"monitoring-breakdown":      {inside: []inside{{query: "origin=simulated&by=model&agent_id=$agent", status: 200, answer: `"parts":[]`}}},
		"get-monitoring-dimensions": {},
		"set-monitoring-dimensions": {},
		"get-call":                  {path: call},
		"review-call":               {path: call},
		"list-reviews":              {},
		"start-review": {inside: []inside{
			{body: `{"agent_id":"$agent"}`, status: 422, places: []string{"agent_id"}}, {body: `{"agent_id":""}`, status: 422, places: []string{"agent_id"}},
		}},
		"get-review":                  {path: replay},
		"cancel-review":               {path: replay},
		"resume-review":               {path: replay},
		"get-call-peaks":              {path: call},
		"get-call-recording":          {path: call},
		"sync-agents":                 {},
		"put-platform-key":            {path: map[string]string{"provider": ""}, body: `{"api_key":"x"}`},
		"list-platform-keys":          {},
		"delete-platform-key":         {path: map[string]string{"provider": ""}},
		"create-recording-credential": {},
		"list-recording-credentials":  {},
		"delete-recording-credential": {path: map[string]string{"id": "credential"}},
		"stream-events":               {}, // its own test: a stream does not end
		"get-call-log":                {path: call},
		"amend-call-log":              {path: call, body: `{"outcome":"x"}`},
		"get-session":                 {},
		"sign-in":                     {},
		"set-up":                      {},
		"sign-in-by-link":             {},
		"look-at-invitation":          {},
		"join-workspace":              {},
		"sign-out":                    {},
		"start-oidc-sign-in":          {},
		"finish-oidc-sign-in":         {},
		"change-password":             {person: true},
		"change-person":               {person: true},
		"list-members":                {},
		"change-member":               {person: true, path: map[string]string{"id": "member"}, body: `{"role":"owner"}`},
		"remove-member":               {person: true, path: map[string]string{"id": "member"}},
		"list-invitations":            {},
		"create-invitation":           {person: true},
		"delete-invitation":           {person: true, path: map[string]string{"id": "invitation"}},
		"create-workspace":            {person: true},
		"change-workspace":            {path: map[string]string{"id": "workspace"}, body: `{"name":"taken"}`},
		"create-api-key":              {},
		"list-api-keys":               {},
		"revoke-api-key":              {path: map[string]string{"id": "key"}},
		"list-audit-log":              {},
		"switch-workspace": {person: true, inside: []inside{
			{body: `{"workspace_id":"$workspace"}`, status: 422, places: []string{"workspace_id"}},
		}},
		"submit-call-log": {inside: []inside{
			{body: callLogBody(`"metadata":{"ringtrue_call":"$call"}`), status: 422, places: []string{"metadata.ringtrue_call"}},
		}},
	}
}

func callLogBody(more string) string {
	return `{"provider":"custom",` + more + `,"payload":{"call_id":"c1","recording_url":"https://example.com/a.wav","from_number":"+15550123",` +
		`"to_number":"+15550100","start_timestamp":1760000000000,"end_timestamp":1760000060000,"status":"ended"}}`
}

// filled puts a workspace's things in the place of their names.
func (w tenant) filled(text string) string {
	return strings.NewReplacer("$agent", w.agent, "$dataset", w.dataset, "$item", w.item, "$slug", w.slug, "$run", w.run,
		"$call", w.call, "$source", w.source, "$workspace", w.id).Replace(text)
}

func (w tenant) thing(kind string) string {
	return map[string]string{"agent": w.agent, "dataset": w.dataset, "item": w.item, "slug": w.slug, "run": w.run, "call": w.call, "replay": w.replay, "credential": w.credential, "member": w.person, "invitation": w.invitation, "workspace": w.id, "key": w.keyID, "view": w.view, "": "label"}[kind]
}

// operations are all that the service's own document lists: id to method and path.
func (r *rig) operations(t *testing.T) map[string][2]string {
	t.Helper()
	var doc struct {
		Paths map[string]map[string]struct {
			OperationID string `json:"operationId"`
		}
	}
	must(t, json.Unmarshal(r.ask(t, r.mine, "GET", "/openapi.json", nil).body, &doc))
	out := map[string][2]string{}
	for path, methods := range doc.Paths {
		for method, op := range methods {
			out[op.OperationID] = [2]string{strings.ToUpper(method), path}
		}
	}
	if len(out) < 30 {
		t.Fatalf("the document lists %d operations", len(out))
	}
	return out
}

// openOperations are those that the document says need neither key nor session.
func (r *rig) openOperations(t *testing.T) map[string]bool {
	t.Helper()
	var doc struct {
		Paths map[string]map[string]struct {
			OperationID string `json:"operationId"`
			Security    []map[string][]string
		}
	}
	must(t, json.Unmarshal(r.ask(t, r.mine, "GET", "/openapi.json", nil).body, &doc))
	out := map[string]bool{}
	for _, methods := range doc.Paths {
		for _, op := range methods {
			if slices.ContainsFunc(op.Security, func(way map[string][]string) bool { return len(way) == 0 }) {
				out[op.OperationID] = true
			}
		}
	}
	if !out["sign-in"] || out["list-agents"] {
		t.Fatalf("the document calls %v open", out)
	}
	return out
}

// malformed ids are no ids at all; they must be as unknown as any other.
func malformedIDs() []string {
	return []string{
		"nothing", "agt_", "_", "-", "0", "null", "undefined", "agt_01k0000000000000000000000%", "' OR 1=1 --", "%", "*", "{id}",
		"a\x00b", "a\nb", "a\r\nX-Injected: 1", "\x7f", "\xff\xfe", "\xed\xa0\x80", "é", "💥", "../agents", "..", ".", "a/b", "a?b=c", "a#b",
		" ", "agt_ZZZZZZZZZZZZZZZZZZZZZZZZZZ", "call_01k0000000000000000000000", strings.Repeat("a", 64), strings.Repeat("💥", 16),
	}
}

func TestWhatBelongsToAnotherWorkspaceIsNotThere(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	everyForeignThing(t, r)
}

// everyForeignThing asks for things of another workspace, for things that never
// were, and with ids that are none, in every place of every operation.
func everyForeignThing(t *testing.T, r *rig) {
	t.Helper()
	table, operations := reaches(), r.operations(t)
	for id := range table {
		if _, ok := operations[id]; !ok {
			t.Errorf("there is no operation %s any more", id)
		}
	}
	r.untouched(t, func() {
		for id, op := range operations {
			row, ok := table[id]
			if !ok {
				t.Errorf("the operation %s has no row in this table", id)
				continue
			}
			for name := range row.path {
				if row.path[name] != "" {
					r.foreignInPath(t, id, op, row, name)
				}
			}
			for _, in := range row.inside {
				r.foreignInside(t, id, op, row, in)
			}
			if strings.Contains(op[1], "{") && len(row.path) == 0 {
				t.Errorf("the table does not say what the path of %s names", id)
			}
		}
	})
}

// path fills the path of an operation with the things of w, but for one parameter.
func (row reach) fill(path string, w tenant, but, value string) string {
	for name, kind := range row.path {
		thing := w.thing(kind)
		if name == but {
			thing = value
		}
		path = strings.ReplaceAll(path, "{"+name+"}", url.PathEscape(thing))
	}
	if row.query != "" {
		path += "?" + row.query
	}
	return path
}

func (r *rig) foreignInPath(t *testing.T, id string, op [2]string, row reach, name string) {
	t.Helper()
	var body []byte
	if row.body != "" {
		body = []byte(r.mine.filled(row.body))
	}
	foreign := r.theirs.thing(row.path[name])
	never := foreign[:len(foreign)-1] + "z"
	if never == foreign {
		never = foreign[:len(foreign)-1] + "y"
	}
	ask := func(value string) answer {
		return r.ask(t, row.as(r.mine), op[0], row.fill(op[1], r.mine, name, value), body)
	}
	theirs := r.refused(t, id+" with a foreign "+name, ask(foreign), 404, "not_found")
	unknown := r.refused(t, id+" with an unknown "+name, ask(never), 404, "not_found")
	if strings.ReplaceAll(theirs.Detail, foreign, "") != strings.ReplaceAll(unknown.Detail, never, "") || theirs.Hint != unknown.Hint {
		t.Errorf("%s: what is foreign can be told from what is not there: %q, %q", id, theirs.Detail, unknown.Detail)
	}
	for _, value := range malformedIDs() {
		a := ask(value)
		p := r.refused(t, fmt.Sprintf("%s with the %s %.40q", id, name, value), a, 404, "not_found")
		if strings.ContainsFunc(p.Detail, func(c rune) bool { return c < ' ' || c == 0x7f }) || a.header.Get("X-Injected") != "" {
			t.Errorf("%s: the refusal repeats control characters: %q", id, p.Detail)
		}
	}
	p := r.refused(t, id+" with a long "+name, ask(strings.Repeat("a", 129)), 422, "invalid_fields")
	if !slices.Equal(p.paths(), []string{"path." + name}) {
		t.Errorf("%s with a long %s: faults at %v", id, name, p.paths())
	}
	if a := r.ask(t, row.as(r.theirs), op[0], row.fill(op[1], r.mine, "", ""), body); a.status != 404 {
		t.Errorf("%s: a foreign key gets %d", id, a.status)
	}
}

func (r *rig) foreignInside(t *testing.T, id string, op [2]string, row reach, in inside) {
	t.Helper()
	path := row.fill(op[1], r.mine, "", "")
	if in.query != "" {
		path += "?" + r.theirs.filled(in.query)
	}
	var body []byte
	if in.body != "" {
		body = []byte(r.theirs.filled(in.body))
	}
	a := r.ask(t, row.as(r.mine), op[0], path, body)
	if in.places == nil {
		if a.status != in.status || !strings.Contains(string(a.body), in.answer) {
			t.Errorf("%s with foreign names in its query: %d %s", id, a.status, a.body)
		}
		return
	}
	code := "invalid_fields"
	if in.status == http.StatusNotFound {
		code = "not_found"
	}
	p := r.refused(t, id+" with foreign names inside", a, in.status, code)
	if !slices.Equal(p.paths(), in.places) {
		t.Errorf("%s: faults at %v, want %v", id, p.paths(), in.places)
	}
}

// A call log that names another workspace's agent is taken and linked to nobody.
func TestCallLogIsNotLinkedToAnotherWorkspacesAgent(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	a := r.ask(t, r.mine, http.MethodPost, "/v2/call-logs", []byte(r.theirs.filled(callLogBody(`"externalAgentId":"$source"`))))
	var got struct {
		ID      string
		AgentID *string `json:"agent_id"`
	}
	if err := json.Unmarshal(a.body, &got); err != nil || a.status != 202 || got.AgentID != nil || !strings.HasPrefix(got.ID, "call_") {
		t.Errorf("%d %s", a.status, a.body)
	}
	theirs := r.ask(t, r.theirs, http.MethodGet, "/calls/"+got.ID, nil)
	r.refused(t, "the call for the other", theirs, 404, "not_found")
	if list := r.ask(t, r.theirs, http.MethodGet, "/calls?origin=production", nil); !strings.Contains(string(list.body), `"data":[]`) {
		t.Errorf("the other workspace sees it: %s", list.body)
	}
}
