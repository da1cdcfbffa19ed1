package monitor

import (
	"fmt"
	"math"
	"strings"

	"github.com/ringtrue/ringtrue/internal/trend"
	"github.com/ringtrue/ringtrue/internal/trend/departure"
)

// incidentSentence describes a departure in plain words.
func incidentSentence(in departure.Incident) string {
	what, unit := plainNames(in.Metric)
	since := "between " + in.Start.UTC().Format("2 Jan 15:04") + " and " + in.End.UTC().Format("2 Jan 15:04") + " UTC"
	if in.Open {
		since = "since " + in.Start.UTC().Format("2 Jan 15:04") + " UTC"
	}
	if in.Form == departure.Drift {
		if unit == "calls" {
			unit = "calls an hour" // the unit of a drift in the number of calls
		}
		return fmt.Sprintf("%s has been drifting %s: %s over its last seven days, where %s is usual (%s).",
			what, map[trend.Sign]string{trend.Up: "up", trend.Down: "down"}[in.Sign], plainFigure(in.Seen, unit), plainFigure(in.Expected, unit), since)
	}
	if in.LikeDay != "" {
		return fmt.Sprintf("As few calls as on a %s %s: %s came, where about %s are usual. That may be a holiday.", in.LikeDay, since, plainFigure(in.Seen, unit), plainFigure(in.Expected, unit))
	}
	if in.Form == departure.Outage {
		return fmt.Sprintf("Few or no calls came in %s: %s, where about %s are usual.", since, plainFigure(in.Seen, unit), plainFigure(in.Expected, unit))
	}
	told := fmt.Sprintf("%s was %s %s, where about %s is usual (%d calls).", what, plainFigure(in.Seen, unit), since, plainFigure(in.Expected, unit), in.N)
	if in.OneCaller > 0 {
		told += fmt.Sprintf(" One caller made %d of these calls; without that caller nothing is unusual.", in.OneCaller)
	}
	return told
}

// plainNames returns a metric's name for a sentence, and its unit.
func plainNames(metric string) (name, unit string) {
	f, _ := figureOf(metric)
	switch metric {
	case "calls":
		return "The number of calls", f.unit
	case "error_rate":
		return "The share of calls that ended in an error", f.unit
	case "failed_rate":
		return "The share of calls that failed", f.unit
	case "drop_off_rate":
		return "The share of callers who left before their goal", f.unit
	case "upset_rate":
		return "The share of upset callers", f.unit
	case "valence":
		return "The callers' mood (−1 to 1)", f.unit
	case "reported_valence":
		return "The callers' mood that the platform reports (−1 to 1)", f.unit
	case "latency_p50", "latency_p95":
		return "The " + middle(metric) + " turn latency", f.unit
	case "reported_latency_p50", "reported_latency_p95":
		return "The " + middle(metric) + " latency that the platform reports", f.unit
	case "duration_p50":
		return "The median length of calls", f.unit
	case "cost":
		return "The mean cost of a call", f.unit
	}
	return metric, f.unit
}

func middle(metric string) string {
	if strings.HasSuffix(metric, "p95") {
		return "95th percentile"
	}
	return "median"
}

func plainFigure(v float64, unit string) string {
	switch unit {
	case "share":
		return fmt.Sprintf("%.1f %%", 100*v)
	case "s":
		return fmt.Sprintf("%.2f s", v)
	case "usd":
		return fmt.Sprintf("$%.3f", v)
	case "calls":
		return fmt.Sprintf("%.0f", math.Round(v))
	case "calls an hour":
		return fmt.Sprintf("%.3g an hour", v)
	}
	return fmt.Sprintf("%.2f", v)
}
