package api

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/experiment"
)

// The JUnit form of a report: the experiment is a suite, every call a case. A
// call that did not pass is a failure, one that our own side spoilt is an
// error, and one that was not evaluated is skipped.
type junitCase struct {
	Name    string     `xml:"name,attr"`
	Class   string     `xml:"classname,attr"`
	Time    string     `xml:"time,attr"`
	Failure *junitNote `xml:"failure,omitempty"`
	Error   *junitNote `xml:"error,omitempty"`
	Skipped *junitNote `xml:"skipped,omitempty"`
	Output  string     `xml:"system-out,omitempty"`
}

type junitNote struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// junit writes the report case by case; calls are those of the report, the failed
// ones with their reviews.
func junit(w io.Writer, r experiment.Report, calls iter.Seq2[experiment.CallResult, error]) error {
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	suites, suite := junitHeads(r)
	for _, head := range []xml.StartElement{suites, suite} {
		if err := enc.EncodeToken(head); err != nil {
			return err
		}
	}
	for c, err := range calls {
		if err != nil {
			return err
		}
		if err := enc.EncodeElement(junitCaseOf(&c, r.Experiment), element("testcase")); err != nil {
			return err
		}
	}
	for _, tail := range []xml.EndElement{suite.End(), suites.End()} {
		if err := enc.EncodeToken(tail); err != nil {
			return err
		}
	}
	if err := enc.Close(); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// junitHeads are the elements around the cases, with the number of cases of each kind. The schema
// that CI systems check reports against knows skipped of a suite alone.
func junitHeads(r experiment.Report) (suites, suite xml.StartElement) {
	var n struct{ failures, errors, skipped int }
	var total time.Duration
	for i := range r.Calls {
		total += r.Calls[i].Call.Duration()
		switch r.Calls[i].Call.Verdict {
		case call.Passed:
		case call.NotPassed:
			n.failures++
		case call.Void:
			n.errors++
		case call.NotEvaluated, "":
			n.skipped++
		}
	}
	counts := []string{"tests", strconv.Itoa(len(r.Calls)), "failures", strconv.Itoa(n.failures), "errors", strconv.Itoa(n.errors)}
	own := append(append([]string{"name", r.Experiment.ID}, counts...), "skipped", strconv.Itoa(n.skipped), "time", seconds(total))
	if !r.Experiment.CreatedAt.IsZero() {
		own = append(own, "timestamp", r.Experiment.CreatedAt.UTC().Format("2006-01-02T15:04:05"))
	}
	return element("testsuites", counts...), element("testsuite", own...)
}

// element is the start of an element; attributes are alternating names and values.
func element(name string, attributes ...string) xml.StartElement {
	e := xml.StartElement{Name: xml.Name{Local: name}}
	for pair := range slices.Chunk(attributes, 2) {
		e.Attr = append(e.Attr, xml.Attr{Name: xml.Name{Local: pair[0]}, Value: pair[1]})
	}
	return e
}

func junitCaseOf(r *experiment.CallResult, e experiment.Experiment) junitCase {
	c := junitCase{
		Name:  cmp.Or(r.Item.Key, r.Item.ID, r.Call.ItemID),
		Class: e.DatasetID, Time: seconds(r.Call.Duration()), Output: "call " + r.Call.ID,
	}
	if r.Call.Repetition > 1 {
		c.Name += fmt.Sprintf(" (repetition %d)", r.Call.Repetition)
	}
	end := r.Call.EndReason.Code
	if end == call.EndUnknown {
		end = "" // the status says more, of a canceled call above all
	}
	note := &junitNote{Message: cmp.Or(r.Call.VerdictReason, string(end), string(r.Call.Status)), Text: findings(r.Review)}
	switch r.Call.Verdict {
	case call.Passed:
	case call.NotPassed:
		c.Failure = note
	case call.Void:
		c.Error = note
	case call.NotEvaluated, "":
		c.Skipped = note
	}
	return c
}

// findings are the scores that failed, with their reasons and the words that show it.
func findings(r *call.Review) string {
	if r == nil {
		return ""
	}
	var text strings.Builder
	for _, s := range r.Scores {
		if s.Verdict != call.NotPassed {
			continue
		}
		fmt.Fprintf(&text, "%s: %s\n", s.Name, s.Reason)
		for _, e := range s.Evidence {
			if e.Start < 0 {
				fmt.Fprintf(&text, "  %s\n", e.Quote)
				continue
			}
			fmt.Fprintf(&text, "  at %s s: %s\n", seconds(e.Start), e.Quote)
		}
	}
	return text.String()
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }
