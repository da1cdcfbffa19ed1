package client

import (
	"context"
	"encoding/json"
	"net/url"
	"strconv"
)

// Dataset is a versioned list of scenarios.
type Dataset struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description"`
	// Version counts up with every change of the items.
	Version   int `json:"version"`
	ItemCount int `json:"item_count"`
	// CreatedAt and UpdatedAt are milliseconds since 1970.
	CreatedAt int64 `json:"created_at"`
	UpdatedAt int64 `json:"updated_at"`
}

// Item is one scenario. Input and Output are JSON objects as the documentation
// of scenarios describes them.
type Item struct {
	// ID is given by the service; Key is your own name for the item.
	ID       string          `json:"id,omitempty"`
	Key      string          `json:"key,omitempty"`
	Input    json.RawMessage `json:"input"`
	Output   json.RawMessage `json:"output,omitempty"`
	Metadata map[string]any  `json:"metadata,omitempty"`
}

// NewDataset is a dataset to be created; Items may be empty.
type NewDataset struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Items       []Item `json:"items,omitempty"`
}

// DatasetChange changes a dataset; nil fields stay as they are.
type DatasetChange struct {
	Name        *string `json:"name,omitempty"`
	Description *string `json:"description,omitempty"`
}

// DatasetVersion is one state of a dataset's items.
type DatasetVersion struct {
	Version   int   `json:"version"`
	ItemCount int   `json:"item_count"`
	CreatedAt int64 `json:"created_at"`
}

// ItemPage is a page of a dataset's items.
type ItemPage struct {
	Page[Item]
	// DatasetVersion is the version they are of; ask for the next page of the same.
	DatasetVersion int `json:"dataset_version"`
}

// ItemsAdded are new items with their ids, and the version they are in.
type ItemsAdded struct {
	DatasetVersion int    `json:"dataset_version"`
	Items          []Item `json:"items"`
}

// Import is a file of items.
type Import struct {
	// Format is "json", "jsonl", "yaml" or "csv".
	Format string
	Data   []byte
	// Replace puts the file's items in the place of all that are there.
	Replace bool
}

// Imported is the answer to an import.
type Imported struct {
	// Imported is how many items the file held.
	Imported int     `json:"imported"`
	Dataset  Dataset `json:"dataset"`
}

// CreateDataset creates a dataset.
func (c *Client) CreateDataset(ctx context.Context, d NewDataset, opts ...CallOption) (Dataset, error) {
	var out Dataset
	err := c.post(ctx, "/datasets", d, &out, opts...)
	return out, err
}

// Datasets lists datasets, newest first.
func (c *Client) Datasets(ctx context.Context, p PageOptions) (Page[Dataset], error) {
	var out Page[Dataset]
	err := c.get(ctx, "/datasets", p.query(), &out)
	return out, err
}

// Dataset is one dataset, without its items.
func (c *Client) Dataset(ctx context.Context, id string) (Dataset, error) {
	var out Dataset
	err := c.get(ctx, datasetPath(id), nil, &out)
	return out, err
}

// UpdateDataset changes a dataset's name or description.
func (c *Client) UpdateDataset(ctx context.Context, id string, change DatasetChange) (Dataset, error) {
	var out Dataset
	err := c.patch(ctx, datasetPath(id), change, &out)
	return out, err
}

// DeleteDataset deletes a dataset; experiments that ran it stay.
func (c *Client) DeleteDataset(ctx context.Context, id string) error {
	return c.remove(ctx, datasetPath(id))
}

// DatasetVersions lists the versions of a dataset, newest first.
func (c *Client) DatasetVersions(ctx context.Context, id string) ([]DatasetVersion, error) {
	var out struct {
		Data []DatasetVersion `json:"data"`
	}
	err := c.get(ctx, datasetPath(id)+"/versions", nil, &out)
	return out.Data, err
}

// ImportItems reads a file of items into a dataset. Every problem of the file
// is in the error's Fields, with its line; then nothing is imported.
func (c *Client) ImportItems(ctx context.Context, datasetID string, i Import, opts ...CallOption) (Imported, error) {
	q := url.Values{"format": {i.Format}}
	if i.Replace {
		q.Set("mode", "replace")
	}
	r := request{
		method: "POST", path: datasetPath(datasetID) + "/import", query: q, body: i.Data,
		contentType: "application/octet-stream",
	}
	for _, o := range opts {
		o(&r)
	}
	var out Imported
	err := c.do(ctx, r, &out)
	return out, err
}

// ItemsChecked tells what a file of items holds and what is wrong with it.
type ItemsChecked struct {
	// ItemCount is how many items the file holds; 0 when it has problems.
	ItemCount int `json:"item_count"`
	// Items are the first of them.
	Items []Item `json:"items"`
	// Problems are empty when the file can be imported.
	Problems []Field `json:"problems"`
}

// CheckItems reads a file of items, of a format that Import knows, and stores
// nothing. What is wrong with the file is no error, but in the answer.
func (c *Client) CheckItems(ctx context.Context, format string, file []byte) (ItemsChecked, error) {
	var out ItemsChecked
	err := c.do(ctx, request{
		method: "POST", path: "/datasets/check", query: url.Values{"format": {format}}, body: file, contentType: "application/octet-stream",
	}, &out)
	return out, err
}

// Items lists the items of a dataset in order; version 0 is the current one.
func (c *Client) Items(ctx context.Context, datasetID string, version int, p PageOptions) (ItemPage, error) {
	q := p.query()
	if version > 0 {
		q.Set("version", strconv.Itoa(version))
	}
	var out ItemPage
	err := c.get(ctx, datasetPath(datasetID)+"/items", q, &out)
	return out, err
}

// AddItems puts items behind those that are there, as a new version.
func (c *Client) AddItems(ctx context.Context, datasetID string, items []Item, opts ...CallOption) (ItemsAdded, error) {
	var out ItemsAdded
	err := c.post(ctx, datasetPath(datasetID)+"/items", map[string]any{"items": items}, &out, opts...)
	return out, err
}

// Item is one item as it is now.
func (c *Client) Item(ctx context.Context, datasetID, itemID string) (Item, error) {
	var out Item
	err := c.get(ctx, itemPath(datasetID, itemID), nil, &out)
	return out, err
}

// ItemAt returns one item as it was in a version of its dataset.
func (c *Client) ItemAt(ctx context.Context, datasetID, itemID string, version int) (Item, error) {
	var out Item
	err := c.get(ctx, itemPath(datasetID, itemID), url.Values{"version": {strconv.Itoa(version)}}, &out)
	return out, err
}

// ReplaceItem gives an item a new content at its place, as a new version. An item that has that
// content already makes none.
func (c *Client) ReplaceItem(ctx context.Context, datasetID, itemID string, item Item) (Item, error) {
	var out Item
	err := c.put(ctx, itemPath(datasetID, itemID), item, &out)
	return out, err
}

// DeleteItem takes an item out of its dataset, as a new version.
func (c *Client) DeleteItem(ctx context.Context, datasetID, itemID string) error {
	return c.remove(ctx, itemPath(datasetID, itemID))
}

func datasetPath(id string) string { return "/datasets/" + url.PathEscape(id) }

func itemPath(datasetID, itemID string) string {
	return datasetPath(datasetID) + "/items/" + url.PathEscape(itemID)
}

// FromCalls names the calls that are to become scenarios.
type FromCalls struct {
	CallIDs       []string `json:"call_ids"`
	DryRun        bool     `json:"dry_run,omitempty"`
	RedactNumbers bool     `json:"redact_numbers,omitempty"`
}

// ItemsFromCalls are the scenarios that were made; DatasetVersion is nil when nothing was kept.
type ItemsFromCalls struct {
	DatasetVersion *int   `json:"dataset_version"`
	Items          []Item `json:"items"`
	// Notes tell what the scenarios leave out of their calls.
	Notes []FromCallNote `json:"notes"`
}

// FromCallNote is what a scenario leaves out of its call.
type FromCallNote struct {
	CallID string `json:"call_id"`
	Note   string `json:"note"`
}

// ItemsFromCalls makes scenarios of calls.
func (c *Client) ItemsFromCalls(ctx context.Context, datasetID string, f FromCalls, opts ...CallOption) (ItemsFromCalls, error) {
	var out ItemsFromCalls
	err := c.post(ctx, "/datasets/"+url.PathEscape(datasetID)+"/from-calls", f, &out, opts...)
	return out, err
}
