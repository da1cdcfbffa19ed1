package main

import (
	"github.com/ringtrue/ringtrue/internal/app"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// mediaFlags say where agents without a telephone number are met.
type mediaFlags struct {
	NoMedia        bool   `name:"no-media" help:"Run no media server: rooms for agents without a telephone number are refused."`
	MediaURL       string `name:"media-url" help:"Use this LiveKit-compatible media server or cluster instead of the embedded one." placeholder:"WSS-URL"`
	MediaKey       string `name:"media-key" help:"API key of the media server (embedded: made on the first start and kept in --data)." placeholder:"KEY"`
	MediaSecret    string `name:"media-secret" help:"Its secret, 32 characters and more (better given as RINGTRUE_MEDIA_SECRET)." placeholder:"SECRET"`
	MediaPublicURL string `name:"media-public-url" help:"Where agents reach the media server, when that is not where it listens: wss://… of what puts TLS before it." placeholder:"WSS-URL"`
	MediaRedis     string `name:"media-redis" help:"Join the embedded media servers of several processes through Redis; they need the same --media-key and --media-secret." placeholder:"REDIS-URL"`
	MediaBind      string `name:"media-bind" help:"Local IP address of the embedded media server (default 127.0.0.1)." default:"127.0.0.1" placeholder:"IP"`
	MediaAdvertise string `name:"media-advertise" help:"IP address told to agents for the sound, behind address translation." placeholder:"IP"`
	MediaCert      string `name:"media-cert" help:"Certificate (PEM) of the embedded media server: agents are then told wss://." placeholder:"FILE"`
	MediaCertKey   string `name:"media-cert-key" help:"The certificate's key (PEM)." placeholder:"FILE"`
	MediaPort      int    `name:"media-port" help:"TCP port of the embedded media server; 0 takes a free one (default 7880)." default:"7880" placeholder:"PORT"`
	MediaUDPPort   int    `name:"media-udp-port" help:"UDP port of its sound; 0 takes a free one (default 7882)." default:"7882" placeholder:"PORT"`
}

func (f mediaFlags) options() app.MediaOptions {
	return app.MediaOptions{
		Off: f.NoMedia, URL: f.MediaURL, Key: f.MediaKey, Secret: f.MediaSecret, PublicURL: f.MediaPublicURL, Redis: f.MediaRedis,
		Bind: f.MediaBind, Advertise: f.MediaAdvertise, Port: f.MediaPort, UDPPort: f.MediaUDPPort, CertFile: f.MediaCert, CertKeyFile: f.MediaCertKey,
	}
}

// check names the flags that make no sense by themselves; the media server checks the rest.
func (f mediaFlags) check() (fields []problem.Field) {
	wrong := func(flag, message string) { fields = append(fields, problem.Field{Path: flag, Message: message}) }
	if f.MediaURL != "" && f.MediaRedis != "" {
		wrong("--media-redis", "joins embedded media servers; with --media-url there is none")
	}
	if f.NoMedia && f.MediaURL != "" {
		wrong("--no-media", "contradicts --media-url")
	}
	for _, port := range []struct {
		flag  string
		value int
	}{{"--media-port", f.MediaPort}, {"--media-udp-port", f.MediaUDPPort}} {
		if port.value < 0 || port.value > 65535 {
			wrong(port.flag, "must be a port: 0 to 65535")
		}
	}
	return fields
}
