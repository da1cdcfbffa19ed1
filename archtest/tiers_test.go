package archtest

// tiers lists every package below internal/ with its tier. A package imports
// packages of lower tiers only; a child imports its parent and what lies below
// the parent, and in a house of several storeys a package imports those below it. A package that is not listed fails the test: decide where it
// stands first.
func tiers() map[string]int {
	return map[string]int{
		"call": 0, "leg": 0, "audio": 0, "audio/activity": 0, "audio/echo": 0, "audio/flac": 0, "audio/mp3": 0, "rtp": 0, "problem": 0, "chat": 0, "strictjson": 0, "pack": 0,
		"scenario": 1, "scenario/draft": 1, "live": 1, "page": 1, "hostname": 1, "emotion": 1, "emotion/train": 1, "trend": 1, "trend/chance": 1, "trend/sketch": 1, "trend/departure": 1, "trend/trendtest": 1, "audio/decode": 1, "audio/decode/decodetest": 1, "score/phrase": 1,
		"score": 2, "score/timing": 2, "score/judge": 2, "caller": 2, "audit": 2, "price": 2, "bucket": 2,
		"experiment": 3, "experiment/compare": 3, "calllog/lenient": 2, "calllog": 3, "calllog/records": 3, "calllog/custom": 3, "calllog/platforma": 3, "calllog/platformb": 3, "calllog/readertest": 3, "review": 3, "monitor": 3, "workspace": 3, "workspace/people": 3, "credential": 3, "platform": 3, "catalog": 3, "archive": 3, "savedview": 3,
		"line": 4, "line/g711": 4, "line/loss": 4, "line/prefetch": 4, "line/jitter": 4, "line/keys": 4, "line/udp": 4, "line/pace": 4, "line/telephone": 4, "line/room": 4, "line/sip": 4, "line/sip/screen": 4, "line/sip/sdp": 4, "line/sip/locate": 4, "line/sip/login": 4, "line/sip/transport": 4, "line/sip/siptest": 4, "line/sip/foreign": 4, "line/loop": 4, "line/linetest": 4,
		"media": 4, "media/mediatest": 4, "fetch": 4, "secret": 4, "oidc": 4, "oidc/oidctest": 4,
		"speech": 4, "speech/speechtest": 4, "store": 4, "store/sqlite": 4, "store/postgres": 4, "store/postgres/pgtest": 4,
		"store/storetest": 4, "store/blob": 4,
		"queue": 5, "practice": 5,
		"api": 6, "api/rest": 6, "web": 6, "telemetry": 6,
		"app": 7,
	}
}

// storeys lists the houses whose packages share a tier and are built on one another,
// each from the ground up: a package may import those of its house that stand on a
// lower storey. Every package of such a house stands on one of them.
func storeys() map[string][][]string {
	return map[string][][]string{
		"api":   {{"api/rest"}, {"api"}},
		"trend": {{"trend/chance", "trend/sketch"}, {"trend"}, {"trend/departure"}, {"trend/trendtest"}},
		"line": {
			{"line/g711", "line/loss", "line/prefetch", "line/udp", "line/pace"},
			{"line/jitter", "line/keys"},
			{"line/telephone", "line/sip/screen", "line/sip/sdp", "line/sip/locate", "line/sip/siptest"},
			{"line/sip/login", "line/sip/transport"},
			{"line/sip", "line/room", "line/loop"},
			{"line", "line/linetest", "line/sip/foreign"},
		},
	}
}

// parts lists the packages that a house is made of and that nobody outside it imports.
func parts() []string {
	return []string{"line/g711", "line/loss", "line/prefetch", "line/jitter", "line/keys", "line/udp", "line/telephone", "line/sip/screen", "line/sip/sdp", "line/sip/locate", "line/sip/login", "line/sip/transport"}
}

// concrete lists the packages that touch the outside world. Only app, the
// packages' own children and tests may import them: everybody else sees a port.
func concrete() []string {
	return []string{
		"line/sip", "line/room", "line/loop", "media", "fetch", "secret", "oidc", "speech", "store", "store/sqlite", "store/postgres", "store/blob", "queue", "practice",
	}
}

// mayBuild lists who may import a concrete package beside app, and why.
func mayBuild() map[string][]string {
	return map[string][]string{
		"store": {"queue", "api", "api/rest"}, // api shows its events and idempotency keys as they are; jobs are inserted inside the store's transaction,
		// with a driver of the queue's own for each engine.
		"store/sqlite": {"queue"}, "store/postgres": {"queue"},
	}
}
