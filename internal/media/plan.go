package media

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/livekit/livekit-server/pkg/config"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// plan is the result of checking the options, with all ports chosen.
type plan struct {
	keys      Keys
	bind      netip.Addr
	advertise netip.Addr
	// inner and port are where the server itself listens, front the port known to agents. front
	// equals port unless there is a proxy in front.
	inner            netip.Addr
	front, port, udp int
	cert             *certificate
	knock            func(ctx context.Context, room string) error
	said             *allowances
	address, url     string
	redis            map[string]any
}

// Validate checks the options without side effects.
func (o EmbedOptions) Validate() error {
	_, err := o.read()
	return err
}

// PortsFree checks whether the ports that the options name are free to listen on.
func PortsFree(o EmbedOptions) error {
	p, err := o.read()
	if err != nil {
		return err
	}
	return p.choosePorts(o.Port, o.UDPPort)
}

// plan checks the options, reads or creates the keys and chooses the ports.
func (o EmbedOptions) plan() (plan, error) {
	p, err := o.read()
	if err != nil {
		return plan{}, err
	}
	if p.keys.Key == "" {
		if p.keys, err = KeysIn(o.KeyFile); err != nil {
			return plan{}, err
		}
	}
	if err := p.choosePorts(o.Port, o.UDPPort); err != nil {
		return plan{}, err
	}
	return p, p.settle()
}

// read checks the options.
func (o EmbedOptions) read() (plan, error) {
	p := plan{keys: Keys{Key: o.Key, Secret: o.Secret}, knock: o.Knock, said: &allowances{}}
	var wrong []problem.Field
	say := func(flag, message string) { wrong = append(wrong, problem.Field{Path: flag, Message: message}) }
	var err error
	if p.bind, err = netip.ParseAddr(cmp.Or(o.Bind, "127.0.0.1")); err != nil {
		say("--media-bind", "it must be an IP address of this machine")
	} else if voiceless(p.bind) {
		say("--media-bind", "WebRTC does not use "+p.bind.String()+" (RFC 8445 section 5.1.1.1): name another address of this machine, such as 127.0.0.1")
	}
	if o.Advertise != "" {
		if p.advertise, err = netip.ParseAddr(o.Advertise); err != nil {
			say("--media-advertise", "it must be an IP address")
		}
	}
	if p.redis, err = redisOf(o.Redis); err != nil {
		say("--media-redis", err.Error())
	}
	if o.PublicURL != "" {
		var fields []problem.Field
		p.url, fields = webSocket("--media-public-url", o.PublicURL)
		wrong = append(wrong, fields...)
	}
	switch {
	case o.Key != "" || o.Secret != "":
		wrong = append(wrong, p.keys.check(false)...)
	case o.Redis != "":
		say("--media-key", "servers joined by --media-redis need the same --media-key and --media-secret")
	}
	if o.CertFile != "" || o.CertKeyFile != "" {
		if p.cert, err = readCertificate(o.CertFile, o.CertKeyFile); err != nil {
			say("--media-cert", err.Error())
		}
	}
	if len(wrong) > 0 {
		return plan{}, problem.Invalid(wrong...)
	}
	return p, nil
}

// voiceless reports whether agents could join at an address but never be heard, because the
// server opens no socket for media there.
func voiceless(bind netip.Addr) bool {
	return bind.Is6() && (bind.IsLoopback() || bind.IsLinkLocalUnicast())
}

// isLoopback reports whether an address is one of the loopback interface, which may also have
// addresses that other machines are led to. The server names none of that interface to agents
// unless told to, and they could join and never be connected.
func isLoopback(bind netip.Addr, own []net.Addr) bool {
	return bind.IsLoopback() || slices.ContainsFunc(own, func(a net.Addr) bool {
		one, err := netip.ParsePrefix(a.String())
		return err == nil && one.Addr() == bind
	})
}

// loopbacks returns the addresses of the loopback interfaces; none if they cannot be read.
func loopbacks() (all []net.Addr) {
	interfaces, err := net.Interfaces()
	if err != nil {
		return nil
	}
	for i := range interfaces {
		if interfaces[i].Flags&net.FlagLoopback == 0 {
			continue
		}
		if own, err := interfaces[i].Addrs(); err == nil {
			all = append(all, own...)
		}
	}
	return all
}

// fronted reports whether agents connect through the proxy of listenFront.
func (p *plan) fronted() bool { return p.cert != nil || p.knock != nil }

// settle sets the addresses once the port is known. Behind the proxy, the server itself listens
// on loopback.
func (p *plan) settle() error {
	loopback := netip.MustParseAddr("127.0.0.1")
	told := cmp.Or(p.advertise, p.bind)
	if told.IsUnspecified() {
		told = loopback
	}
	scheme, host := "ws://", told.String()
	p.front, p.inner = p.port, p.bind
	if p.cert != nil {
		scheme, host = "wss://", cmp.Or(p.cert.host(), host)
	}
	if p.fronted() {
		free, err := net.ListenTCP("tcp", &net.TCPAddr{IP: loopback.AsSlice()})
		if err != nil {
			return err
		}
		defer free.Close()
		p.port, p.inner = free.Addr().(*net.TCPAddr).Port, loopback
	}
	p.url = cmp.Or(p.url, scheme+net.JoinHostPort(host, strconv.Itoa(p.front)))
	ours := p.inner
	if ours.IsUnspecified() {
		ours = loopback
	}
	p.address = "ws://" + net.JoinHostPort(ours.String(), strconv.Itoa(p.port))
	return nil
}

// choosePorts picks free ports where none is given. For a port in use, the error says which flag to change.
func (p *plan) choosePorts(port, udp int) error {
	tcp, err := net.ListenTCP("tcp", &net.TCPAddr{IP: p.bind.AsSlice(), Port: port})
	if err != nil {
		return inUse("--media-port", "TCP", port, p.bind, err)
	}
	defer tcp.Close()
	sound, err := net.ListenUDP("udp", &net.UDPAddr{IP: p.bind.AsSlice(), Port: udp})
	if err != nil {
		return inUse("--media-udp-port", "UDP", udp, p.bind, err)
	}
	defer func() { _ = sound.Close() }()
	p.port, p.udp = tcp.Addr().(*net.TCPAddr).Port, sound.LocalAddr().(*net.UDPAddr).Port
	return nil
}

func inUse(flag, kind string, port int, bind netip.Addr, err error) error {
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return problem.New(problem.Unavailable, "%s port %d on %s is in use, so the media server cannot start", kind, port, bind).
			WithHint("choose another with %s, or turn off media rooms with --no-media", flag).Because(err)
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return problem.New(problem.Unavailable, "this machine has no address %s for the media server", bind).
			WithHint("name one of its own with --media-bind").Because(err)
	default:
		return problem.New(problem.Unavailable, "the media server cannot listen on %s port %d of %s", kind, port, bind).
			WithHint("check %s and --media-bind", flag).Because(err)
	}
}

// explain adds the flag to change to an error that the server returned at its start.
func (p *plan) explain(err error) error {
	switch {
	case err == nil:
		return problem.New(problem.Unavailable, "the media server stopped while it was starting")
	case errors.Is(err, syscall.EADDRINUSE):
		return problem.New(problem.Unavailable, "port %d (TCP) or %d (UDP) on %s is in use, so the media server cannot start", p.front, p.udp, p.bind).
			WithHint("choose others with --media-port and --media-udp-port").Because(blackened{err, p.keys.Secret})
	case p.redis != nil:
		return p.redisAway(err)
	default:
		return problem.New(problem.Unavailable, "the media server cannot start").Because(blackened{err, p.keys.Secret})
	}
}

// config returns the plan as the server's configuration. It is built as JSON, which is valid
// YAML and needs no manual quoting.
func (p *plan) config() (*config.Config, error) {
	rtc := map[string]any{
		"tcp_port": 0, "udp_port": p.udp, "use_external_ip": false, "stun_servers": []string{},
		"enable_loopback_candidate": p.bind.IsUnspecified() || isLoopback(p.bind, loopbacks()),
		// Without it, a sender that restarts its sequence numbers is not heard any more.
		"enable_rtp_stream_restart_detection": true,
	}
	if !p.bind.IsUnspecified() {
		rtc["ips"] = map[string]any{"includes": []string{p.bind.String() + "/" + strconv.Itoa(p.bind.BitLen())}}
	}
	switch {
	case p.advertise.IsValid():
		rtc["node_ip"] = p.advertise.String()
	case !p.bind.IsUnspecified():
		rtc["node_ip"] = p.bind.String()
	default:
		// ICE-lite announces the machine's own addresses and queries no STUN server.
		rtc["use_ice_lite"] = true
	}
	settings := map[string]any{
		"port": p.port, "bind_addresses": []string{p.inner.String()},
		"keys": map[string]string{p.keys.Key: p.keys.Secret},
		"rtc":  rtc,
		"room": map[string]any{
			"auto_create": false, "empty_timeout": 60, "departure_timeout": wholeSeconds(departFor),
			"max_participants": roomParticipants,
			// Video is not used, but a server without any video codec rejects the whole offer, including the
			// voice of an agent with an avatar.
			"enabled_codecs": []map[string]string{{"mime": "audio/opus"}, {"mime": "audio/red"}, {"mime": "video/vp8"}, {"mime": "video/h264"}},
		},
	}
	if p.redis != nil {
		settings["redis"] = p.redis
	}
	text, err := json.Marshal(settings)
	if err != nil {
		return nil, err
	}
	conf, err := config.NewConfig(string(text), true, nil, nil)
	if err != nil {
		return nil, fmt.Errorf("media server: %w", blackened{err, p.keys.Secret})
	}
	return conf, nil
}

// redisOf parses the address of a Redis server; it returns nil for "".
func redisOf(text string) (map[string]any, error) {
	wrong := errors.New("it must be an address like redis://host:6379")
	if text == "" {
		return nil, nil
	}
	if !strings.Contains(text, "://") {
		text = "redis://" + text
	}
	u, err := url.Parse(text)
	if err != nil || !reachable(u) || u.Scheme != "redis" && u.Scheme != "rediss" {
		return nil, wrong
	}
	out := map[string]any{"address": net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), "6379"))}
	if name := u.User.Username(); name != "" {
		out["username"] = name
	}
	if secret, ok := u.User.Password(); ok {
		out["password"] = secret
	}
	if u.Scheme == "rediss" {
		out["use_tls"] = true
	}
	if db := strings.Trim(u.Path, "/"); db != "" {
		n, err := strconv.Atoi(db)
		if err != nil {
			return nil, wrong
		}
		out["db"] = n
	}
	return out, nil
}
