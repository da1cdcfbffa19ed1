package media

import (
	"context"
	"crypto/tls"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// RedisAnswers checks that the Redis server named in the options accepts this client. It returns nil if none is named.
func RedisAnswers(ctx context.Context, o EmbedOptions) error {
	p, err := o.read()
	if err != nil || p.redis == nil {
		return err
	}
	quieten(nil, p.keys.Secret) // the client otherwise writes each try to standard error
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	text := func(key string) string { s, _ := p.redis[key].(string); return s }
	options := &redis.Options{Addr: text("address"), Username: text("username"), Password: text("password")}
	options.DB, _ = p.redis["db"].(int)
	if secure, _ := p.redis["use_tls"].(bool); secure {
		options.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	client := redis.NewClient(options)
	defer func() { _ = client.Close() }()
	if err := client.Ping(ctx).Err(); err != nil {
		return p.redisAway(err)
	}
	return nil
}

func (p *plan) redisAway(err error) error {
	return problem.New(problem.Unavailable, "the media server cannot reach the other media servers through Redis").
		WithHint("check --media-redis and whether Redis answers there").Because(blackened{err, p.keys.Secret})
}
