package catalog

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/score"
)

// versioned keeps the versions of prompts or scorers in the order in which they
// were made, and which of them each label names.
type versioned[T any] struct {
	kind   string
	look   func(*T) named
	rows   []T
	labels map[string]int // "ws/slug/label" to version
	// overtaken is what happens before a version is written: others that were quicker.
	overtaken func() error
}

// named is what prompts and scorers have in common.
type named struct {
	workspace, slug string
	version         int
	labels          *[]string
}

func (v versioned[T]) clone() versioned[T] {
	v.rows, v.labels = slices.Clone(v.rows), maps.Clone(v.labels)
	return v
}

// of lists the versions of one, the newest first, with their labels.
func (v *versioned[T]) of(ws, slug string) (out []T) {
	for _, row := range slices.Backward(v.rows) {
		if n := v.look(&row); n.workspace == ws && n.slug == slug {
			*n.labels = v.labelsOf(ws, slug, n.version)
			out = append(out, row)
		}
	}
	return out
}

func (v *versioned[T]) labelsOf(ws, slug string, version int) (out []string) {
	for key, at := range v.labels {
		if label, ok := strings.CutPrefix(key, ws+"/"+slug+"/"); ok && at == version {
			out = append(out, label)
		}
	}
	slices.Sort(out)
	return out
}

// byRef finds "slug", the newest, "slug@3" or "slug@label".
func (v *versioned[T]) byRef(ws, ref string) (T, error) {
	slug, at, one := strings.Cut(ref, "@")
	all := v.of(ws, slug)
	if !one && len(all) > 0 {
		return all[0], nil
	}
	version, err := strconv.Atoi(at)
	if err != nil {
		version = v.labels[ws+"/"+slug+"/"+at]
	}
	for i := range all {
		if v.look(&all[i]).version == version {
			return all[i], nil
		}
	}
	var none T
	return none, problem.Missing(v.kind, ref)
}

// newest is a page of the newest version of each, by slug.
func (v *versioned[T]) newest(ws string, limit int, cursor string) (out []T) {
	slugs := map[string]bool{}
	for i := range v.rows {
		if n := v.look(&v.rows[i]); n.workspace == ws && n.slug > cursor {
			slugs[n.slug] = true
		}
	}
	for _, slug := range slices.Sorted(maps.Keys(slugs)) {
		out = append(out, v.of(ws, slug)[0])
	}
	return out[:min(limit, len(out))]
}

func (v *versioned[T]) insert(row T) error {
	if v.overtaken != nil {
		if err := v.overtaken(); err != nil {
			return err
		}
	}
	v.rows = append(v.rows, row)
	return nil
}

func (v *versioned[T]) label(ws, slug, label string, version int) error {
	if v.labels == nil {
		v.labels = map[string]int{}
	}
	v.labels[ws+"/"+slug+"/"+label] = version
	return nil
}

func (f *fake) InsertPrompt(_ context.Context, p scenario.Prompt) error { return f.prompts.insert(p) }

func (f *fake) PromptVersions(_ context.Context, ws, slug string) ([]scenario.Prompt, error) {
	return f.prompts.of(ws, slug), nil
}

func (f *fake) PromptByRef(_ context.Context, ws, ref string) (scenario.Prompt, error) {
	return f.prompts.byRef(ws, ref)
}

func (f *fake) Prompts(_ context.Context, ws string, limit int, cursor string) ([]scenario.Prompt, error) {
	return f.prompts.newest(ws, limit, cursor), nil
}

func (f *fake) LabelPrompt(_ context.Context, ws, slug, label string, version int) error {
	return f.prompts.label(ws, slug, label, version)
}

func (f *fake) InsertScorer(_ context.Context, c score.Config) error { return f.scorers.insert(c) }

func (f *fake) ScorerVersions(_ context.Context, ws, slug string) ([]score.Config, error) {
	return f.scorers.of(ws, slug), nil
}

func (f *fake) ScorerByRef(_ context.Context, ws, ref string) (score.Config, error) {
	return f.scorers.byRef(ws, ref)
}

func (f *fake) Scorers(_ context.Context, ws string, limit int, cursor string) ([]score.Config, error) {
	return f.scorers.newest(ws, limit, cursor), nil
}

func (f *fake) LabelScorer(_ context.Context, ws, slug, label string, version int) error {
	return f.scorers.label(ws, slug, label, version)
}
