package api

import (
	"bytes"
	"cmp"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/experiment"
)

// The JUnit form of a report: the experiment is a suite, every call a case. A
// call that did not pass is a failure, one that our own side spoilt is an
// error, and one that was not evaluated is skipped.
type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name      string      `xml:"name,attr"`
	Tests     int         `xml:"tests,attr"`
	Failures  int         `xml:"failures,attr"`
	Errors    int         `xml:"errors,attr"`
	Skipped   int         `xml:"skipped,attr"`
	Time      string      `xml:"time,attr"`
	Timestamp string      `xml:"timestamp,attr,omitempty"`
	Cases     []junitCase `xml:"testcase"`
}

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

func junit(r experiment.Report) ([]byte, error) {
	suite := junitSuite{Name: r.Experiment.ID, Tests: len(r.Calls)}
	if !r.Experiment.CreatedAt.IsZero() {
		suite.Timestamp = r.Experiment.CreatedAt.UTC().Format("2006-01-02T15:04:05")
	}
	var total time.Duration
	for i := range r.Calls {
		c := junitCaseOf(&r.Calls[i], r.Experiment)
		total += r.Calls[i].Call.Duration()
		switch {
		case c.Failure != nil:
			suite.Failures++
		case c.Error != nil:
			suite.Errors++
		case c.Skipped != nil:
			suite.Skipped++
		}
		suite.Cases = append(suite.Cases, c)
	}
	suite.Time = seconds(total)
	all := junitSuites{Tests: suite.Tests, Failures: suite.Failures, Errors: suite.Errors, Skipped: suite.Skipped, Suites: []junitSuite{suite}}
	var out bytes.Buffer
	out.WriteString(xml.Header)
	enc := xml.NewEncoder(&out)
	enc.Indent("", "  ")
	if err := enc.Encode(all); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

func junitCaseOf(r *experiment.CallResult, e experiment.Experiment) junitCase {
	c := junitCase{
		Name:  cmp.Or(r.Item.Key, r.Item.ID, r.Call.ItemID),
		Class: e.DatasetID, Time: seconds(r.Call.Duration()), Output: "call " + r.Call.ID,
	}
	if r.Call.Repetition > 1 {
		c.Name += fmt.Sprintf(" (repetition %d)", r.Call.Repetition)
	}
	note := &junitNote{Message: cmp.Or(r.Call.VerdictReason, string(r.Call.EndReason.Code), string(r.Call.Status)), Text: findings(r.Review)}
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
			fmt.Fprintf(&text, "  at %s s: %s\n", seconds(e.Start), e.Quote)
		}
	}
	return text.String()
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }

func marshal(v any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return out.Bytes(), err
}
