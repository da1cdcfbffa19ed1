package catalog

import (
	"context"
	"fmt"
	"slices"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/scenario/draft"
)

// maxFromCalls is how many calls become scenarios in one go.
const maxFromCalls = 100

// FromCalls says which calls are to become scenarios. DryRun keeps nothing.
// RedactNumbers puts made-up digits in the place of spoken ones, which is always
// done where the client's platform was told to keep no people.
type FromCalls struct {
	CallIDs       []string
	RedactNumbers bool
	DryRun        bool
}

// Drafted is what came of it: the items in the order of the calls, with ids
// unless nothing was kept, and what was left out of each call.
type Drafted struct {
	Dataset scenario.Dataset
	Items   []scenario.Item
	Notes   []DraftNote
}

// DraftNote says of a call, in a sentence, what its scenario leaves out.
type DraftNote struct{ CallID, Note string }

// FromCalls makes scenarios of calls and puts them behind those of the dataset, as
// a new version. Calls that none can be made of are fields at fault, all at once;
// then nothing is kept.
func (s *Service) FromCalls(ctx context.Context, workspaceID, datasetID string, f FromCalls) (Drafted, error) {
	if fields := checkCallIDs(f.CallIDs); len(fields) > 0 {
		return Drafted{}, problem.Invalid(fields...)
	}
	var out Drafted
	run := s.store.Write
	if f.DryRun {
		run = s.store.Read
	}
	err := run(ctx, func(tx Tx) (err error) {
		out = Drafted{}
		if f.DryRun {
			out.Dataset, err = tx.DatasetByID(ctx, workspaceID, datasetID)
		} else {
			out.Dataset, err = tx.LockDataset(ctx, workspaceID, datasetID)
		}
		if err != nil {
			return err
		}
		if err := s.drafts(ctx, tx, workspaceID, f, &out); err != nil || f.DryRun {
			return err
		}
		out.Items = s.identify(out.Items, nil)
		return s.append(ctx, tx, &out.Dataset, out.Items)
	})
	if err != nil {
		return Drafted{}, err
	}
	return out, nil
}

func checkCallIDs(ids []string) []problem.Field {
	switch {
	case len(ids) == 0:
		return []problem.Field{{Path: "call_ids", Message: "must name at least one call"}}
	case len(ids) > maxFromCalls:
		return []problem.Field{{Path: "call_ids", Message: fmt.Sprintf("names %d calls; at most %d are allowed", len(ids), maxFromCalls)}}
	}
	var fields []problem.Field
	for i, id := range ids {
		if slices.Contains(ids[:i], id) {
			fields = append(fields, problem.Field{Path: fmt.Sprintf("call_ids[%d]", i), Message: "is named twice"})
		}
	}
	return fields
}

// drafts makes an item of each call.
func (s *Service) drafts(ctx context.Context, tx Tx, workspaceID string, f FromCalls, out *Drafted) error {
	there, err := tx.ItemsOf(ctx, out.Dataset.ID, out.Dataset.Version, scenario.MaxItems)
	if err != nil {
		return err
	}
	taken := make(map[string]string, len(there))
	for _, item := range there {
		taken[item.Key] = item.ID
	}
	var fields []problem.Field
	for i, id := range f.CallIDs {
		refuse := func(format string, args ...any) {
			fields = append(fields, problem.Field{Path: fmt.Sprintf("call_ids[%d]", i), Message: fmt.Sprintf(format, args...)})
		}
		source, err := sourceOf(ctx, tx, workspaceID, id)
		switch {
		case problem.Is(err, problem.NotFound) || problem.Is(err, problem.InvalidFields): // or its id is no text
			refuse("there is no such call")
			continue
		case err != nil:
			return err
		}
		source.RedactNumbers = f.RedactNumbers || source.Call.Keep != call.KeepEverything
		item, notes, why := draft.Item(source)
		switch {
		case why != "":
			refuse("cannot become a scenario: %s", why)
			continue
		case taken[item.Key] != "":
			refuse("is item %s of this dataset already", taken[item.Key])
			continue
		}
		out.Items = append(out.Items, item)
		for _, note := range notes {
			out.Notes = append(out.Notes, DraftNote{CallID: id, Note: note})
		}
	}
	if len(fields) > 0 {
		return problem.Invalid(fields...)
	}
	return nil
}

// sourceOf reads what is known of a call: what its review heard or, where that is
// nothing, what its platform says was said.
func sourceOf(ctx context.Context, tx Tx, workspaceID, id string) (s draft.Source, err error) {
	if s.Call, err = tx.CallByID(ctx, workspaceID, id); err != nil {
		return s, err
	}
	review, _, err := tx.ReviewOf(ctx, id)
	if err != nil {
		return s, err
	}
	s.Turns = review.Heard.Turns
	if s.Call.Origin == call.Production {
		if len(s.Turns) == 0 {
			told, _, err := tx.ReportedOf(ctx, id)
			s.Turns = told.Turns
			return s, err
		}
		return s, nil
	}
	last, _, err := tx.LastAttempt(ctx, id)
	if err != nil {
		return s, err
	}
	s.Timeline = last.Timeline
	played, err := tx.ItemOf(ctx, id)
	if problem.Is(err, problem.NotFound) {
		return s, nil
	}
	s.Played = &played
	return s, err
}
