package app

import (
	"log/slog"
	"net"
	"time"

	"github.com/ringtrue/ringtrue/internal/line/sip"
	"github.com/ringtrue/ringtrue/internal/speech"
	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/telemetry"
	"github.com/ringtrue/ringtrue/internal/workspace/people"
)

// OIDCOptions name an identity provider. Without an issuer there is none.
type OIDCOptions struct {
	// Issuer is the provider's address, ClientID and ClientSecret are what it
	// knows this service by, Name is what to call it on a button.
	Issuer, ClientID, ClientSecret, Name string
	// Newcomers says who comes in without an invitation.
	Newcomers people.Newcomers
}

// Options are everything a service can be told. The zero value of a field is
// its default unless the field says that it is needed.
type Options struct {
	// Data is the folder that holds everything the process keeps; needed.
	Data string
	// Database is a postgres:// address, or "" for a SQLite file in Data.
	Database string
	// Listen is the address of the REST interface (default 127.0.0.1:8080).
	// Listener, when not nil, is used instead and closed by Stop.
	Listen   string
	Listener net.Listener
	// MetricsListen is the address at which the service tells Prometheus how it fares;
	// "" has it tell nobody.
	MetricsListen string
	// PublicURL is the address that clients use, "" when it is the address that the service listens
	// on.
	PublicURL string

	// Trunks are the ways into the telephone network; none refuses phone runs.
	Trunks []sip.Trunk
	// SIPBind is the local IP of signalling and media. The default is loopback while
	// every trunk is on this machine, and otherwise the address that faces each trunk.
	SIPBind string
	// SIPAdvertise is the IP told to the far end, for machines behind address translation.
	SIPAdvertise string
	// RTPPorts bounds the media ports: "20000-20999"; "" lets the system choose.
	RTPPorts string
	// Portable uses the portable media loop even where the fast one would run.
	Portable bool

	Media MediaOptions

	Speech speech.Options
	// JudgeFeeling has the language model judge the feeling of production callers too.
	JudgeFeeling bool
	// RecordWait is how long a review waits for the agent's own record of a call (default 30 s).
	RecordWait time.Duration
	// Placing bounds the calls that this process has on its lines (default 200),
	// Reviewing the reviews it works on at a time (default: one per processor).
	Placing, Reviewing int

	// Beat is how often the heartbeat of a call on the line is written (default
	// 5 s), SilentAfter how long one may be missing before the call is taken from
	// its process (default 30 s). All processes of a database need the same.
	Beat, SilentAfter time.Duration

	// FetchAllow are hosts, addresses and networks from which recordings may be fetched although
	// they are not on the public internet.
	FetchAllow []string
	// PlatformURLs are the addresses of the voice platforms' interfaces, by provider ("platform_a").
	PlatformURLs map[string]string
	// SecretKeys seal credentials: the first one seals, and all of them open. Without any, the key
	// in Data is used, and made when it is missing.
	SecretKeys []string
	// MaxCallLog caps the body of a call log in bytes (default 4 MiB), CallLogRate
	// how many of them one key may submit per second; 0 means any number.
	MaxCallLog  int64
	CallLogRate float64

	// TrustedProxies are the addresses and networks of proxies whose X-Forwarded-For header is
	// believed. From anybody else it is ignored.
	TrustedProxies []string

	// OIDC is the identity provider that people may sign in with.
	OIDC OIDCOptions
	// PasswordCost is what hashing a password takes; zero is the least that OWASP advises.
	PasswordCost people.Cost

	// ProviderAliases and KindAliases map other names in call logs to ours,
	// PathAliases other paths to ours ("/old/path=/new/path").
	ProviderAliases, KindAliases, PathAliases []string

	Version string
	// Log and Now are needed.
	Log *slog.Logger
	Now func() time.Time

	// tell hears of the steps of a database upgrade.
	tell store.Tell
	// telemetry is told of what happens, nil when there is none.
	telemetry *telemetry.Telemetry
}
