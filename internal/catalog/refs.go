package catalog

import (
	"context"
	"fmt"
	"strconv"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// A slug is the lasting name of a prompt or scorer within its workspace, a
// label a name that moves from version to version. Package scenario says what
// they look like, so that "slug@label" and "slug@3" can be told apart.

const (
	slugRule  = "must be 1 to 64 of a-z, 0-9, - and _, with a letter or digit at both ends"
	labelRule = "must be 1 to 64 of a-z, 0-9, - and _, and begin with a letter"
)

// maxLabels is how many labels can be given to a version at once.
const maxLabels = 20

// refOf joins slug and at ("" newest, a label, or a version number) to the ref
// that the rows understand; ok is false when no such thing can exist.
func refOf(slug, at string) (ref string, ok bool) {
	ref = slug
	if at != "" {
		ref += "@" + at
	}
	return ref, scenario.ValidSlug(slug) && scenario.ValidRef(ref)
}

// versionRef is the ref of a version by its number.
func versionRef(slug string, version int) (ref string, ok bool) {
	return refOf(slug, strconv.Itoa(version))
}

// versionTries is how often a next version is made before somebody else's haste is given in to.
const versionTries = 100

// writeNext runs what makes the next version of something, and runs it again when another
// request has made that version meanwhile: nobody asks for a version by its number. With every
// such conflict somebody has come through, so that all who come at once do.
func (s *Service) writeNext(ctx context.Context, f func(tx Tx) error) (err error) {
	for range versionTries {
		if err = s.store.Write(ctx, f); !problem.Is(err, problem.Conflict) || ctx.Err() != nil {
			break
		}
	}
	return err
}

func checkLabels(fields []problem.Field, labels []string) []problem.Field {
	if len(labels) > maxLabels {
		return append(fields, problem.Field{Path: "labels", Message: fmt.Sprintf("has %d labels, more than %d", len(labels), maxLabels)})
	}
	for i, l := range labels {
		if !scenario.ValidLabel(l) {
			fields = append(fields, problem.Field{Path: fmt.Sprintf("labels[%d]", i), Message: labelRule})
		}
	}
	return fields
}

// checkText appends to fields when the text is too long, in bytes.
func checkText(fields []problem.Field, path, text string, most int) []problem.Field {
	if len(text) > most {
		return append(fields, problem.Field{Path: path, Message: fmt.Sprintf("is %d bytes long, at most %d are allowed", len(text), most)})
	}
	return fields
}

// labelAll moves every label to the version, through the move that the rows offer.
func labelAll(ctx context.Context, labels []string, move func(ctx context.Context, label string) error) error {
	for _, l := range labels {
		if err := move(ctx, l); err != nil {
			return err
		}
	}
	return nil
}
