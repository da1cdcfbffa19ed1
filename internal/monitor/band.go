package monitor

import (
	"context"
	"time"

	"github.com/ringtrue/ringtrue/internal/pack"
)

// band is the baseline of the hours of a window, by metric.
type band struct {
	From  time.Time
	Hours map[string][]expected
}

// expected is the baseline of one hour, if known.
type expected struct {
	Known               bool
	Expected, Low, High float64
}

// packBand encodes a baseline, rounded to thousandths.
func packBand(b band) []byte {
	var p pack.Writer
	p.Int(b.From.Unix())
	p.Uint(len(b.Hours))
	for name, hours := range b.Hours {
		p.Text(name)
		p.Uint(len(hours))
		for _, h := range hours {
			p.Flag(h.Known)
			if h.Known {
				p.Milli(h.Expected)
				p.Milli(h.Low)
				p.Milli(h.High)
			}
		}
	}
	return p.B
}

// unpackBand decodes the baselines of the wanted metrics.
func unpackBand(b []byte, wanted func(metric string) bool) (band, error) {
	out := band{Hours: map[string][]expected{}}
	if len(b) == 0 {
		return out, nil
	}
	u := pack.Reader{B: b}
	out.From = time.Unix(u.Int(), 0).UTC()
	for range u.Count() {
		name := u.Text()
		hours := make([]expected, u.Count())
		for i := range hours {
			if hours[i].Known = u.Flag(); hours[i].Known {
				hours[i].Expected, hours[i].Low, hours[i].High = u.Milli(), u.Milli(), u.Milli()
			}
		}
		if wanted(name) {
			out.Hours[name] = hours
		}
	}
	return out, u.Err
}

// bands adds the baseline to hourly lines, where it is known.
func (s *Service) bands(ctx context.Context, tx Tx, p span, lines []TrendLine) error {
	r, ok, err := tx.ReportOf(ctx, p.workspaceID, p.origin, p.Series)
	if err != nil || !ok {
		return err
	}
	wanted := map[string]bool{}
	for _, l := range lines {
		wanted[l.Metric] = true
	}
	b, err := unpackBand(r.Bands, func(metric string) bool { return wanted[metric] })
	if err != nil {
		return err
	}
	for i := range lines {
		hours := b.Hours[lines[i].Metric]
		for j := range lines[i].Points {
			at := int(time.UnixMilli(lines[i].Points[j].At).Sub(b.From) / time.Hour)
			if at < 0 || at >= len(hours) || !hours[at].Known {
				continue
			}
			h := hours[at]
			lines[i].Points[j].Expected, lines[i].Points[j].Low, lines[i].Points[j].High = &h.Expected, &h.Low, &h.High
		}
	}
	return nil
}
