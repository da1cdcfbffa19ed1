package media

import (
	"cmp"
	"net/netip"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// PortsFree looks whether an embedded server could listen where the options
// want it to, and changes nothing.
func PortsFree(o EmbedOptions) error {
	bind, err := netip.ParseAddr(cmp.Or(o.Bind, "127.0.0.1"))
	if err != nil {
		return problem.Invalid(problem.Field{Path: "--media-bind", Message: "it must be an IP address of this machine"})
	}
	p := plan{bind: bind}
	return p.choosePorts(o.Port, o.UDPPort)
}
