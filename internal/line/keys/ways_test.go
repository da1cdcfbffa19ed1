package keys

import "testing"

func TestAKeyThatComesByBothWaysIsOne(t *testing.T) {
	t.Parallel()
	type arrival struct {
		at  int64 // ms
		key byte
		way Way
	}
	for name, test := range map[string]struct {
		arrivals []arrival
		want     string
	}{
		"the notice first":         {[]arrival{{0, '5', ByNotice}, {100, '5', ByEvent}}, "5"},
		"the event first":          {[]arrival{{0, '5', ByEvent}, {30, '5', ByNotice}}, "5"},
		"twice, in turn":           {[]arrival{{0, '5', ByNotice}, {100, '5', ByEvent}, {200, '5', ByNotice}, {300, '5', ByEvent}}, "55"},
		"twice, the notices later": {[]arrival{{0, '5', ByEvent}, {200, '5', ByEvent}, {250, '5', ByNotice}, {400, '5', ByNotice}}, "55"},
		"two keys":                 {[]arrival{{0, '5', ByEvent}, {200, '6', ByEvent}, {250, '5', ByNotice}, {400, '6', ByNotice}}, "56"},
		"one event is lost":        {[]arrival{{0, '5', ByNotice}, {300, '5', ByNotice}, {400, '5', ByEvent}}, "55"},
		"by one way only":          {[]arrival{{0, '5', ByNotice}, {100, '5', ByNotice}, {200, '5', ByNotice}}, "555"},
		"much later":               {[]arrival{{0, '5', ByNotice}, {2500, '5', ByEvent}}, "55"},
	} {
		var w Ways
		var got []byte
		for _, a := range test.arrivals {
			if !w.Repeats(a.key, a.way, a.at*1e6) {
				got = append(got, a.key)
			}
		}
		if string(got) != test.want {
			t.Errorf("%s: heard %q, want %q", name, got, test.want)
		}
	}
}
