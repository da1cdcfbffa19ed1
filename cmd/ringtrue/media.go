package main

import (
	"github.com/ringtrue/ringtrue/internal/app"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// mediaFlags say where agents without a telephone number are met.
type mediaFlags struct {
	NoMedia        bool   `name:"no-media" help:"Do not run a media server; rooms for agents without a telephone number are then refused."`
	MediaURL       string `name:"media-url" help:"Use this LiveKit-compatible media server or cluster instead of the embedded one." placeholder:"WSS-URL"`
	MediaKey       string `name:"media-key" help:"API key of the media server (embedded: made on the first start and kept in --data)." placeholder:"KEY"`
	MediaSecret    string `name:"media-secret" help:"Its secret, at least 32 characters (better given as RINGTRUE_MEDIA_SECRET)." placeholder:"SECRET"`
	MediaPublicURL string `name:"media-public-url" help:"Address at which agents reach the media server, when it differs from where it listens: wss://… of the TLS proxy in front of it." placeholder:"WSS-URL"`
	MediaRedis     string `name:"media-redis" help:"Join the embedded media servers of several processes through Redis; they need the same --media-key and --media-secret." placeholder:"REDIS-URL"`
	MediaBind      string `name:"media-bind" help:"Local IP address of the embedded media server (default 127.0.0.1)." default:"127.0.0.1" placeholder:"IP"`
	MediaAdvertise string `name:"media-advertise" help:"IP address that agents send audio to, when this machine is behind NAT." placeholder:"IP"`
	MediaCert      string `name:"media-cert" help:"Certificate (PEM) of the embedded media server; agents then connect with wss://." placeholder:"FILE"`
	MediaCertKey   string `name:"media-cert-key" help:"The certificate's key (PEM)." placeholder:"FILE"`
	MediaPort      int    `name:"media-port" help:"TCP port of the embedded media server; 0 picks a free one (default 7880)." default:"7880" placeholder:"PORT"`
	MediaUDPPort   int    `name:"media-udp-port" help:"UDP port for its audio; 0 picks a free one (default 7882)." default:"7882" placeholder:"PORT"`
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
		wrong("--media-redis", "joins embedded media servers, and with --media-url there is none; leave out one of the two")
	}
	if f.NoMedia && f.MediaURL != "" {
		wrong("--no-media", "contradicts --media-url")
	}
	for _, port := range []struct {
		flag  string
		value int
	}{{"--media-port", f.MediaPort}, {"--media-udp-port", f.MediaUDPPort}} {
		if port.value < 0 || port.value > 65535 {
			wrong(port.flag, "must be a port from 0 to 65535")
		}
	}
	return fields
}
