package api_test

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/client"
	"github.com/ringtrue/ringtrue/internal/api"
	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/price"
	"github.com/ringtrue/ringtrue/internal/store"
)

// keptPrices keeps prices in memory, and has two trunks.
type keptPrices map[string]price.Prices

func (k keptPrices) Prices(_ context.Context, workspaceID string) (price.Prices, error) {
	p := k[workspaceID]
	if p.Currency == "" {
		p.Currency = price.Standard
	}
	return p, nil
}

func (k keptPrices) Set(_ context.Context, workspaceID string, p price.Prices) error {
	if err := p.Validate(); err != nil {
		return err
	}
	k[workspaceID] = p
	return nil
}

func (k keptPrices) ListTrunks(_ context.Context, ask bool) []experiment.TrunkState {
	list := []experiment.TrunkState{{Trunk: experiment.Trunk{Name: "main", From: "+15550100", CallsPerSecond: 1, ConcurrentCalls: 10}}, {Trunk: experiment.Trunk{Name: "lab", Local: true}}}
	if ask {
		yes := true
		list[0].Answers = &yes
	}
	return list
}

func withPrices(t *testing.T) *resources {
	t.Helper()
	k := keptPrices{}
	return &resources{t: t, handler: conforming(t, api.New(api.Options{HTTP: rest.Options{Keys: twoKeys{}, NewID: store.NewID}, Services: api.Services{Prices: k, Trunks: k}}))}
}

func TestPrices(t *testing.T) {
	t.Parallel()
	r := withPrices(t)
	none := `{"currency":"USD","trunks":[],"rooms_per_minute":null,"speech_per_minute":null,"model_per_minute":null}`
	if _, text := r.do(exchange{method: "GET", path: "/prices", status: 200}); strings.TrimSpace(text) != none {
		t.Error(text)
	}
	_, text := r.do(exchange{method: "PUT", path: "/prices", body: `{"currency":"EUR","trunks":[{"name":"main","per_minute":0.013}],"speech_per_minute":0}`, status: 200})
	if want := `{"currency":"EUR","trunks":[{"name":"main","per_minute":0.013,"billed_seconds":60}],"rooms_per_minute":null,"speech_per_minute":0,"model_per_minute":null}`; strings.TrimSpace(text) != want {
		t.Error(text)
	}
	if _, text := r.do(exchange{method: "GET", path: "/prices", key: "b", status: 200}); strings.TrimSpace(text) != none {
		t.Errorf("the other workspace: %s", text)
	}
	r.do(exchange{
		method: "PUT", path: "/prices", body: `{"currency":"eur","trunks":[{"name":"","per_minute":-1,"billed_seconds":0}],"model_per_minute":1001}`, status: 422, code: "invalid_fields",
		fields: []string{"currency", "trunks[0].name", "trunks[0].per_minute", "trunks[0].billed_seconds", "model_per_minute"},
	})
}

func TestTrunksAreToldWithoutWhatOpensThem(t *testing.T) {
	t.Parallel()
	r := withPrices(t)
	const main = `{"name":"main","default":true,"from_number":"+15550100","calls_per_second":1,"concurrent_calls":10,"answers":`
	const lab = `{"name":"lab","default":false,"from_number":null,"calls_per_second":null,"concurrent_calls":null,"answers":null}]}`
	for query, answers := range map[string]string{"": "null", "?check=true": "true"} {
		if _, text := r.do(exchange{method: "GET", path: "/trunks" + query, status: 200}); strings.TrimSpace(text) != `{"data":[`+main+answers+`},`+lab {
			t.Errorf("%q: %s", query, text)
		}
	}
	r.do(exchange{method: "GET", path: "/trunks?check=yes", status: 422, code: "invalid_fields", fields: []string{"query.check"}, has: []string{"must be true or false"}})
}

func TestClientSpeaksOfPrices(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(withPrices(t).handler)
	t.Cleanup(server.Close)
	c, ctx, speech := client.New(server.URL, "a"), t.Context(), 0.02
	if _, err := c.SetPrices(ctx, client.Prices{Currency: "EUR", Speech: &speech, Trunks: []client.TrunkPrice{{Name: "main", PerMinute: 1}}}); err != nil {
		t.Fatal(err)
	}
	if p, err := c.Prices(ctx); err != nil || p.Currency != "EUR" || *p.Speech != speech || *p.Trunks[0].BilledSeconds != 60 || p.Rooms != nil {
		t.Errorf("%+v %v", p, err)
	}
	if list, err := c.Trunks(ctx, true); err != nil || len(list) != 2 || !*list[0].Answers || !list[0].Default || *list[0].ConcurrentCalls != 10 {
		t.Errorf("%+v %v", list, err)
	}
}
