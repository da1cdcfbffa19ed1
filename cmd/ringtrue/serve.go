package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/alecthomas/kong"

	"github.com/ringtrue/ringtrue/internal/app"
	"github.com/ringtrue/ringtrue/internal/line/sip"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/speech"
)

// stopTime is how long a service is given to end its calls and reviews.
const stopTime = 20 * time.Second

// lastWait is how long what was broken off at the end of stopTime may take to end. Together they
// stay below the 30 seconds after which Kubernetes kills a container.
const lastWait = 9 * time.Second

// databaseFlags say where things are kept.
type databaseFlags struct {
	Data     string `help:"Folder for everything that is stored (default ./ringtrue-data)." default:"./ringtrue-data" type:"path" placeholder:"DIR"`
	Database string `help:"PostgreSQL to use instead of SQLite in --data: postgres://user:password@host/name." placeholder:"URL"`
}

// speechFlags choose the engines.
type speechFlags struct {
	TTS       string `help:"Speech synthesis: local (flite) or openai (an OpenAI-compatible endpoint)." enum:"local,openai" default:"local"`
	STT       string `help:"Speech recognition: local (pocketsphinx; fit for synthetic voices only) or openai." enum:"local,openai" default:"local"`
	APIURL    string `name:"speech-url" help:"Address of the OpenAI-compatible endpoint, up to and including the version." placeholder:"URL"`
	APIKey    string `name:"speech-key" help:"Its API key (better given as RINGTRUE_SPEECH_KEY)." placeholder:"KEY"`
	TTSModel  string `name:"tts-model" help:"Speech synthesis model of the endpoint." placeholder:"NAME"`
	STTModel  string `name:"stt-model" help:"Speech recognition model of the endpoint." placeholder:"NAME"`
	ChatModel string `name:"chat-model" help:"Language model that plays callers without a script and judges rubrics." placeholder:"NAME"`
	TTSVoice  string `name:"tts-voice" help:"Voice of the endpoint for personas that name none." placeholder:"NAME"`
}

func (f speechFlags) options(log *slog.Logger) speech.Options {
	return speech.Options{
		TTS: f.TTS, STT: f.STT, Log: log,
		HTTP: speech.HTTPOptions{
			BaseURL: f.APIURL, Key: f.APIKey, TTSModel: f.TTSModel, STTModel: f.STTModel,
			ChatModel: f.ChatModel, Voice: f.TTSVoice,
		},
	}
}

type serveCommand struct {
	Listen         string   `help:"Address of the REST interface (default 127.0.0.1:8080)." default:"127.0.0.1:8080" placeholder:"HOST:PORT" group:"Interface:"`
	PublicURL      string   `name:"public-url" help:"Address at which clients reach the service, when it differs from where it listens: scheme and host, no path." placeholder:"URL" group:"Interface:"`
	TrustedProxies []string `name:"trusted-proxies" help:"Addresses or networks of proxies in front of the service. Their X-Forwarded-For is trusted for sign-in limits and in the audit log. Repeatable, or separated by commas." placeholder:"CIDR" group:"Interface:"`
	MetricsListen  string   `name:"metrics-listen" help:"Address that serves metrics of the service to Prometheus, at /metrics: 127.0.0.1:9090, for example (default: none). Anyone who can reach it can read them." placeholder:"HOST:PORT" group:"Interface:"`
	AliasProvider  []string `help:"Another name for a provider in call logs: name=platform_a. Repeatable." sep:"none" placeholder:"NAME=PROVIDER" group:"Interface:"`
	AliasKind      []string `help:"Another name for a transcript kind: name=chat_completion. Repeatable." sep:"none" placeholder:"NAME=KIND" group:"Interface:"`
	AliasPath      []string `help:"Another path for an operation, both below /api/rest: /old/path=/new/path. Repeatable." sep:"none" placeholder:"OLD=NEW" group:"Interface:"`

	databaseFlags `group:"What it keeps:"`
	SecretKey     []string `name:"secret-key" help:"32 random bytes in hex or base64 that seal credentials (better given as RINGTRUE_SECRET_KEY; default: made in --data). All processes on a database need the same. Repeatable: the first seals, all of them open." placeholder:"KEY" group:"What it keeps:"`

	Trunk        []string `help:"A way into the telephone network: NAME=sip://user:password@host:port;transport=tcp?from=%2B1555…&calls_per_second=1&concurrent_calls=10. Repeatable; the first is the default." sep:"none" placeholder:"TRUNK" group:"Telephone:"`
	SIPBind      string   `name:"sip-bind" help:"Local IP address for signalling and media (default: the one from which the trunk is reached)." placeholder:"IP" group:"Telephone:"`
	SIPAdvertise string   `name:"sip-advertise" help:"IP address that the far end is told, when this machine is behind NAT." placeholder:"IP" group:"Telephone:"`
	RTPPorts     string   `name:"rtp-ports" help:"UDP ports for media; each call takes two (default: any free ones)." placeholder:"FIRST-LAST" group:"Telephone:"`
	Placing      int      `help:"How many calls this process has on its lines at the same time, at most." default:"200" group:"Telephone:"`

	mediaFlags `group:"Rooms:"`
	RoomWait   time.Duration `name:"room-wait" help:"How long an agent may take to join its room while nothing else happens in its experiment." default:"10m" group:"Rooms:"`

	speechFlags `group:"Speech and language models:"`

	MaxCallLog   int64    `name:"max-call-log" help:"Largest body of a call log, in bytes (default 4194304, 4 MiB)." default:"4194304" placeholder:"BYTES" group:"Production calls:"`
	CallLogRate  float64  `name:"call-log-rate" help:"Call logs that one API key may submit per second (default 10000); 0 means no limit." default:"10000" placeholder:"N" group:"Production calls:"`
	FetchAllow   []string `name:"fetch-allow" help:"Host, .suffix, address or network from which recordings may be fetched even though it is not on the public internet. Repeatable." placeholder:"HOST" group:"Production calls:"`
	PlatformAURL string   `name:"platform-a-url" help:"Address of platform A's API, for syncing its agents." placeholder:"URL" group:"Production calls:"`
	PlatformBURL string   `name:"platform-b-url" help:"Address of platform B's API, for syncing its agents." placeholder:"URL" group:"Production calls:"`

	Reviewing    int           `help:"How many reviews this process runs at the same time; 0 means one per processor." group:"Reviews:"`
	RecordWait   time.Duration `help:"How long a review waits for the agent's own record of a call." default:"30s" group:"Reviews:"`
	JudgeFeeling bool          `name:"judge-feeling" help:"Also have --chat-model judge how production callers felt, besides the built-in models. What callers said is sent to its endpoint." group:"Reviews:"`

	oidcFlags `group:"Signing in:"`

	Beat        time.Duration `hidden:"" default:"5s" help:"How often the heartbeat of a call on the line is written."`
	StopTime    time.Duration `hidden:"" default:"20s" help:"How long a service that is told to stop gives its calls and reviews."`
	SilentAfter time.Duration `hidden:"" default:"30s" help:"How long a heartbeat may be missing before a call is taken from its process."`
}

// Help is the longer part of --help.
func (serveCommand) Help() string {
	return `The first start prints an API key, and a link that makes the owner's account. Every flag can also be given as
the environment variable in brackets behind it (the right place for secrets) or in the file of --config. The
command line comes first, then the environment, then the file.

  # Agents in rooms and production calls, without a telephone.
  ringtrue serve

  # An agent with a telephone number, through your SIP provider.
  RINGTRUE_TRUNK='main=sip://user:password@sip.example.com;transport=tcp?from=%2B15550100' ringtrue serve

  # The practice agent, which ringtrue practice runs in another terminal.
  ringtrue serve --trunk practice=sip://127.0.0.1:5070`
}

// AfterApply refuses a secret key that was given and is empty, as that of a variable that was not
// set: what is sealed with the key in the data folder could not be opened by the one that was meant.
func (c *serveCommand) AfterApply(given *kong.Context) error {
	const name = "secret-key"
	for _, flag := range given.Flags() {
		if flag.Name == name && flag.Set && len(c.SecretKey) == 0 {
			return fmt.Errorf("--%s is empty; give a key, or leave it out for the one in the data folder", name)
		}
	}
	return nil
}

// Run serves until it is told to stop.
func (c *serveCommand) Run(ctx context.Context, w *world, log *slog.Logger) error {
	trunks, bad := parseTrunks(c.Trunk)
	if bad = append(bad, c.check()...); len(bad) > 0 {
		return problem.Invalid(bad...)
	}
	outliveReaders()
	media := c.mediaFlags.options()
	media.Eager, media.RoomWait = true, c.RoomWait
	a, err := app.New(ctx, app.Options{
		Media: media,
		Data:  c.Data, Database: c.Database, Listen: c.Listen, MetricsListen: c.MetricsListen, PublicURL: root(c.PublicURL),
		Trunks: trunks, SIPBind: c.SIPBind, SIPAdvertise: c.SIPAdvertise, RTPPorts: c.RTPPorts, Speech: c.speechFlags.options(log), RecordWait: c.RecordWait, JudgeFeeling: c.JudgeFeeling,
		Placing: c.Placing, Reviewing: c.Reviewing, Beat: c.Beat, SilentAfter: c.SilentAfter,
		FetchAllow: c.FetchAllow, PlatformURLs: map[string]string{"platform_a": c.PlatformAURL, "platform_b": c.PlatformBURL}, SecretKeys: c.SecretKey,
		MaxCallLog: c.MaxCallLog, CallLogRate: c.CallLogRate, OIDC: c.oidcFlags.options(), TrustedProxies: c.TrustedProxies,
		ProviderAliases: c.AliasProvider, KindAliases: c.AliasKind, PathAliases: c.AliasPath,
		Version: w.version, Log: log, Now: time.Now,
	})
	if err != nil {
		return err
	}
	if key := a.FirstKey(); key != "" {
		fmt.Fprintf(w.out, "This is the API key of the first workspace. It is shown once:\n\n  %s\n\n", key)
	}
	if err := a.Start(ctx); err != nil {
		return stopped(ctx, a, c.StopTime, err)
	}
	if address := a.SetupURL(); address != "" {
		fmt.Fprintf(w.out, "Nobody can sign in to the web app yet. Open this link to make the owner's account (it works once):\n\n  %s\n\n(set-up token: %s)\n\n", address, a.SetupToken())
	}
	if a.FirstKey() == "" {
		fmt.Fprintln(w.out, "Make more API keys with `ringtrue keys create`.")
	}
	if address := a.MetricsURL(); address != "" {
		fmt.Fprintf(w.out, "Metrics for Prometheus at %s\n", address)
	}
	fmt.Fprintf(w.out, "Listening on %s (documentation at %s/docs)\n", a.URL(), a.URL())
	select {
	case <-ctx.Done():
	case err = <-a.Broken():
	}
	return stopped(ctx, a, c.StopTime, err)
}

// stopped stops the service and returns the first error. A database that is away can hold up one
// part after another; what has not ended lastWait after its time is left as a crash would leave it.
func stopped(ctx context.Context, a *app.App, patience time.Duration, err error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- a.Stop(ctx) }()
	last := time.NewTimer(patience + lastWait)
	defer last.Stop()
	select {
	case stopErr := <-ended:
		if err == nil {
			err = stopErr
		}
	case <-last.C:
		err = errors.Join(err, errors.New("some calls and reviews did not finish in time; they are taken up again at the next start"))
	}
	return err
}

// parseTrunks returns the trunks, and what is wrong with each text that is none.
func parseTrunks(texts []string) (trunks []sip.Trunk, bad []problem.Field) {
	for _, text := range texts {
		t, err := sip.ParseTrunk(text)
		if err != nil {
			bad = append(bad, problem.As(err).Fields...)
			continue
		}
		if slices.ContainsFunc(trunks, func(other sip.Trunk) bool { return other.Name == t.Name }) {
			bad = append(bad, problem.Field{Path: "--trunk", Message: "two trunks are named " + t.Name})
			continue
		}
		trunks = append(trunks, t)
	}
	return trunks, bad
}
