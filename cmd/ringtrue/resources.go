package main

import (
	"context"
	"fmt"

	"github.com/ringtrue/ringtrue/client"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// findAgent returns the id of the agent with the source id.
func findAgent(ctx context.Context, api *client.Client, sourceID string) (string, error) {
	for cursor := ""; ; {
		page, err := api.Agents(ctx, client.PageOptions{Limit: 100, Cursor: cursor})
		if err != nil {
			return "", err
		}
		for _, a := range page.Data {
			if a.SourceID != nil && *a.SourceID == sourceID {
				return a.ID, nil
			}
		}
		if page.NextCursor == nil {
			return "", problem.Missing("agent with the sourceId", sourceID)
		}
		cursor = *page.NextCursor
	}
}

// ensureAgent returns the id of the agent with the source id, made when there is none.
func ensureAgent(ctx context.Context, api *client.Client, sourceID string) (string, error) {
	id, err := findAgent(ctx, api, sourceID)
	if err == nil || !problem.Is(err, problem.NotFound) {
		return id, err
	}
	a, err := api.CreateAgent(ctx, client.NewAgent{Name: "Clinic front desk", SourceID: sourceID})
	return a.ID, err
}

// ensureDataset makes the dataset of that name hold exactly the given items
// and returns its id.
func ensureDataset(ctx context.Context, api *client.Client, name, format string, items []byte) (string, error) {
	id := ""
	for cursor := ""; id == ""; {
		page, err := api.Datasets(ctx, client.PageOptions{Limit: 100, Cursor: cursor})
		if err != nil {
			return "", err
		}
		for _, d := range page.Data {
			if d.Name == name {
				id = d.ID
			}
		}
		if page.NextCursor == nil {
			break
		}
		cursor = *page.NextCursor
	}
	if id == "" {
		d, err := api.CreateDataset(ctx, client.NewDataset{Name: name})
		if err != nil {
			return "", err
		}
		id = d.ID
	}
	if _, err := api.ImportItems(ctx, id, client.Import{Format: format, Replace: true, Data: items}); err != nil {
		return "", fmt.Errorf("import the items: %w", err)
	}
	return id, nil
}
