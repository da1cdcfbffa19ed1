package review

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ringtrue/ringtrue/internal/audio/activity"
	"github.com/ringtrue/ringtrue/internal/score"
	"github.com/ringtrue/ringtrue/internal/score/timing"
)

// version changes when a review of the same material can come to another result although no engine,
// metric or scorer has changed.
const version = 3

// basis returns a digest of everything that a review depends on besides the
// material: the engines, the versions of metrics and scorers, and the scorers of
// the call.
func (s *Service) basis(m *material) string {
	sum := sha256.New()
	_, _ = io.WriteString(sum, s.house)
	for _, c := range m.plan.Scorers {
		fmt.Fprintf(sum, "%s %d %s\n", c.ID, c.Version, c.Params)
	}
	if s.asksJudge(m.plan) {
		_, _ = io.WriteString(sum, "judge "+s.o.Deps.JudgeName+"\n")
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// asksJudge reports whether a call is scored by a language model.
func (s *Service) asksJudge(p score.Plan) bool {
	return s.o.Deps.Judge != nil && slices.ContainsFunc(append(score.FromOutput(p.Item), p.Scorers...), func(c score.Config) bool { return c.Kind == score.KindJudge })
}

// house names the part of the basis that all reviews of this process share.
func (o *Options) house() string {
	var out strings.Builder
	fmt.Fprintf(&out, "review %d\nsegments %s\nfeeling %s\n", version, activity.Engine, o.FeelEngine)
	if o.Transcriber != nil {
		stt, _ := o.Transcriber.Engine()
		out.WriteString("stt " + stt + "\n")
	}
	if o.FeelingModel != nil {
		out.WriteString("feeling model " + o.FeelingModel.Name() + "\n")
	}
	for _, metric := range timing.Catalog() {
		fmt.Fprintf(&out, "metric %s %d\n", metric.Name, metric.Version)
	}
	for _, kind := range score.Kinds() {
		fmt.Fprintf(&out, "scorer %s %d\n", kind.Kind, kind.Version)
	}
	return out.String()
}
