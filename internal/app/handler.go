package app

import (
	"net/http"
	_ "time/tzdata" // days in a client's zone, on a machine that knows no zones

	"github.com/ringtrue/ringtrue/internal/api"
	"github.com/ringtrue/ringtrue/internal/store"
)

// handler is the REST interface over the services. done ends its streams.
func (p *parts) handler(o Options, url string, done <-chan struct{}) (http.Handler, error) {
	paths, err := pairs("--alias-path", o.PathAliases)
	if err != nil {
		return nil, err
	}
	options := api.Options{
		Keys: p.workspaces, Idempotency: p.store, Experiments: p.experiments, Rooms: p.experiments, CallLogs: p.callLogs, Events: p.store,
		Services: api.Services{
			Agents: p.catalog, Datasets: p.catalog, Items: p.catalog, Prompts: p.catalog, Scorers: p.catalog,
			Calls: p.archive, Reviews: p.reviews, Monitoring: p.monitor, Dimensions: p.monitor, Credentials: p.credentials, Platforms: p.platforms,
		},
		Ready: p.store.Ping, Done: done,
		Log: o.Log, Now: o.Now, Steady: p.steady, NewID: store.NewID, Version: o.Version, PublicURL: url,
		MaxCallLog: o.MaxCallLog, CallLogRate: o.CallLogRate,
	}
	for from, to := range paths {
		options.PathAliases = append(options.PathAliases, api.PathAlias{From: from, To: to})
	}
	return api.New(options), nil
}
