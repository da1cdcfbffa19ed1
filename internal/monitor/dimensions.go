package monitor

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// Limits on the dimensions of a workspace.
const (
	maxKeys    = 8
	maxKeyText = 64
)

// Declared are the dimensions of a workspace.
type Declared struct {
	// Keys are the declared metadata keys, in the order in which they were given.
	Keys []string
	// Zone is the name of the time zone of the hours of the week, "" for UTC.
	Zone string
	// Adopting says that earlier calls are still being updated to the keys.
	Adopting bool
}

// Dimensions returns the declared dimensions of the workspace.
func (s *Service) Dimensions(ctx context.Context, workspaceID string) (Declared, error) {
	var d Dimensions
	err := s.o.Store.Read(ctx, func(tx Tx) (err error) {
		d, err = tx.Dimensions(ctx, workspaceID)
		return err
	})
	return declared(d), err
}

func declared(d Dimensions) Declared {
	return Declared{Keys: d.Keys, Zone: d.Zone, Adopting: d.Origin != ""}
}

// Declare sets the metadata keys that are dimensions of the workspace's calls and, unless
// zone is nil, the name of the time zone in which the hours of its week are counted ("" is
// UTC). Earlier calls are updated in the background. Departures are judged by the zone from
// the next look on.
func (s *Service) Declare(ctx context.Context, workspaceID string, keys []string, zone *string) (Declared, error) {
	if faults := append(checkKeys(keys), checkZone(zone)...); len(faults) > 0 {
		return Declared{}, problem.Invalid(faults...)
	}
	var d Dimensions
	err := s.o.Store.Write(ctx, func(tx Tx) (err error) {
		if d, err = tx.Dimensions(ctx, workspaceID); err != nil {
			return err
		}
		if zone != nil {
			d.Zone = *zone
		}
		if !slices.Equal(d.Keys, keys) {
			d.Keys, d.ChangedAt, d.Origin, d.From = keys, s.o.Now(), string(call.Production), time.Time{}
		}
		return tx.PutDimensions(ctx, d)
	})
	return declared(d), err
}

func checkZone(zone *string) []problem.Field {
	if zone == nil {
		return nil
	}
	if _, err := time.LoadLocation(*zone); err != nil || *zone == "Local" || len(*zone) > maxKeyText {
		return []problem.Field{{Path: "time_zone", Message: "is no name of the IANA time zone database, such as Europe/Berlin"}}
	}
	return nil
}

func checkKeys(keys []string) []problem.Field {
	var faults []problem.Field
	if len(keys) > maxKeys {
		faults = append(faults, problem.Field{Path: "metadata_keys", Message: "must not be more than " + strconv.Itoa(maxKeys)})
	}
	for i, key := range keys {
		place := "metadata_keys[" + strconv.Itoa(i) + "]"
		switch {
		case strings.TrimSpace(key) == "" || key != cut(key, maxKeyText):
			faults = append(faults, problem.Field{Path: place, Message: "must be a key of 1 to " + strconv.Itoa(maxKeyText) + " bytes, without spaces around it"})
		case slices.Contains(keys[:i], key):
			faults = append(faults, problem.Field{Path: place, Message: "is given twice"})
		}
	}
	return faults
}

// adoptKeys updates the next hour of facts of a workspace whose keys have changed; more
// says that there may be more to do.
func (s *Service) adoptKeys(ctx context.Context, tx Tx) (more bool, err error) {
	old, err := tx.OldDimensions(ctx, 1)
	if err != nil || len(old) == 0 {
		return false, err
	}
	d := old[0]
	at, ok, err := tx.NextFact(ctx, d.WorkspaceID, d.Origin, d.From)
	if err != nil {
		return false, err
	}
	if !ok {
		d.Origin, d.From = nextOrigin(d.Origin), time.Time{}
		return true, tx.PutDimensions(ctx, d)
	}
	hour := at.UTC().Truncate(time.Hour)
	facts, err := tx.FactsToChange(ctx, d.WorkspaceID, d.Origin, hour, hour.Add(time.Hour))
	if err != nil {
		return false, err
	}
	if err := s.adopt(ctx, tx, facts, d.Keys); err != nil {
		return false, fmt.Errorf("adopt dimensions: %w", err)
	}
	d.From = hour.Add(time.Hour)
	return true, tx.PutDimensions(ctx, d)
}

func nextOrigin(origin string) string {
	if origin == string(call.Production) {
		return string(call.Simulated)
	}
	return ""
}

func (s *Service) adopt(ctx context.Context, tx Tx, facts []Fact, keys []string) error {
	callIDs := make([]string, len(facts))
	for i := range facts {
		callIDs[i] = facts[i].CallID
	}
	metadata, err := tx.MetadataOf(ctx, callIDs, keys)
	if err != nil {
		return err
	}
	changed := false
	for _, f := range facts {
		dims := map[string]string{}
		for dim, value := range f.Dims {
			if !strings.HasPrefix(dim, DimKey) {
				dims[dim] = value
			}
		}
		for key, value := range metadata[f.CallID] {
			if value = asCounted(value); value != "" && !compound(value) {
				dims[DimKey+key] = value
			}
		}
		if len(dims) == 0 {
			dims = nil
		}
		same := sameDims(dims, f.Dims)
		if same && !f.Upset { // the list of upset callers stores dimensions itself
			continue
		}
		f.Dims, changed = dims, changed || !same
		if err := tx.PutFact(ctx, f); err != nil {
			return err
		}
	}
	if !changed {
		return nil
	}
	return tx.PutMarks(ctx, []Mark{markOf(facts[0])})
}

// compound reports whether a stored metadata value is an object, a list or null.
func compound(value string) bool {
	return value == "null" || strings.HasPrefix(value, "{") || strings.HasPrefix(value, "[")
}

func sameDims(a, b map[string]string) bool {
	if len(a) != len(b) {
		return false
	}
	for dim, value := range a {
		if b[dim] != value {
			return false
		}
	}
	return true
}
