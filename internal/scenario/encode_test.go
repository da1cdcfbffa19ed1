package scenario

import (
	"bytes"
	"encoding/json"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// encodeItems writes items so that ParseItems reads the same ones again.
// CSV cannot hold every item and is not written.
func encodeItems(items []Item, format Format) ([]byte, error) {
	switch format {
	case JSON:
		return encodeJSON(items)
	case JSONL:
		return encodeJSONL(items)
	case YAML:
		return encodeYAML(items)
	case CSV:
	}
	return nil, fmt.Errorf("items are not written as %q; use json, jsonl or yaml", format)
}

// encodeJSON writes a JSON list, indented.
func encodeJSON(items []Item) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if items == nil {
		items = []Item{}
	}
	if err := enc.Encode(items); err != nil {
		return nil, fmt.Errorf("encode items: %w", err)
	}
	return out.Bytes(), nil
}

// encodeJSONL writes one item per line.
func encodeJSONL(items []Item) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	for i := range items {
		if err := enc.Encode(items[i]); err != nil {
			return nil, fmt.Errorf("encode item %d: %w", i, err)
		}
	}
	return out.Bytes(), nil
}

// encodeYAML writes a YAML list in block style, keys in the order of the reference.
func encodeYAML(items []Item) ([]byte, error) {
	text, err := encodeJSON(items)
	if err != nil {
		return nil, err
	}
	root, bad := jsonTree(text)
	if bad != nil {
		return nil, fmt.Errorf("encode items: %s", bad.message)
	}
	plain(root)
	var out bytes.Buffer
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	if err := enc.Encode(root); err != nil {
		return nil, fmt.Errorf("encode items: %w", err)
	}
	if err := enc.Close(); err != nil {
		return nil, fmt.Errorf("encode items: %w", err)
	}
	return out.Bytes(), nil
}

// plain takes the quotes off every text that does not need them.
func plain(n *yaml.Node) {
	n.Style = 0
	for _, child := range n.Content {
		plain(child)
	}
}
