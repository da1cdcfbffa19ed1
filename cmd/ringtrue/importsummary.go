package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"text/tabwriter"

	"github.com/ringtrue/ringtrue/client"
)

type importSummary struct {
	New      int       `json:"new"`
	Known    int       `json:"known"`
	Refused  int       `json:"refused"`
	Refusals []refusal `json:"refusals"`
	// ToReview is how many production calls of the workspace wait for their review;
	// maxToReview stands for so many and more. It is null when the import broke off.
	ToReview *int `json:"to_review"`
}

// summary is what the import has done so far. It sorts the refusals by file and line, because the
// answers to many connections arrive in any order.
func (i *importing) summary() importSummary {
	i.mu.Lock()
	defer i.mu.Unlock()
	refusals := append([]refusal{}, i.refusals...)
	slices.SortStableFunc(refusals, func(a, b refusal) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line)) })
	return importSummary{i.fresh, i.known, i.refused, refusals, i.toReview}
}

func (i *importing) print(out io.Writer) {
	s := i.summary()
	if len(s.Refusals) > 0 {
		table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "FILE\tLINE\tCALL\tCODE\tWHY")
		for _, r := range s.Refusals {
			line := "-" // of the file as a whole
			if r.Line > 0 {
				line = strconv.Itoa(r.Line)
			}
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", r.File, line, cmp.Or(r.Call, "-"), r.Code, r.Why)
		}
		_ = table.Flush()
		if more := s.Refused - len(s.Refusals); more > 0 {
			fmt.Fprintf(out, "and %d more\n", more)
		}
		fmt.Fprintln(out)
	}
	fmt.Fprintf(out, "%d new, %d known already, %d refused\n", s.New, s.Known, s.Refused)
	switch n := s.ToReview; {
	case n == nil || *n == 0:
	case *n == 1:
		fmt.Fprintln(out, "1 call is waiting for review")
	case *n == maxToReview:
		fmt.Fprintf(out, "at least %d calls are waiting for review\n", *n)
	default:
		fmt.Fprintf(out, "%d calls are waiting for review\n", *n)
	}
}

// maxToReview is how many waiting calls are counted at most.
const maxToReview = 1000

// reviewsToCome is how many production calls wait for their review. Feelings, scores and the
// monitoring figures made of them come only with it. An import does not fail because this cannot be
// found out.
func reviewsToCome(ctx context.Context, api *client.Client) *int {
	waiting, err := api.Calls(ctx, client.CallFilter{Origin: "production", ScoringStatus: "PENDING"}, client.PageOptions{Limit: maxToReview})
	if err != nil {
		return nil
	}
	n := len(waiting.Data)
	return &n
}
