package caller

import (
	"container/list"
	"context"
	"sync"

	"github.com/ringtrue/ringtrue/internal/scenario"
)

// Cache keeps synthesised lines for later calls and evicts the least recently used. It is shared by all
// calls and safe for concurrent use; a line that two calls request at the same time is synthesised once.
type Cache struct {
	mu      sync.Mutex
	max     int64
	size    int64
	entries map[cacheKey]*list.Element
	order   *list.List // of *cached, most recently used in front
	making  map[cacheKey]*making
}

// cacheKey holds everything that the sound of a line depends on.
type cacheKey struct {
	engine, voice, accent, language, text string
	pitch, pace                           float64
}

type cached struct {
	key  cacheKey
	line *line
}

// making is a line that is being synthesised.
type making struct {
	done chan struct{}
	line *line
	err  error
	// givenUp is true if the context of the call that makes it ended: its error says nothing to others.
	givenUp bool
}

// defaultCacheBytes holds about 20 minutes of speech at both telephone rates.
const defaultCacheBytes = 64 << 20

// NewCache returns an empty cache that holds at most maxBytes of sound, or defaultCacheBytes if
// maxBytes is not positive.
func NewCache(maxBytes int64) *Cache {
	if maxBytes <= 0 {
		maxBytes = defaultCacheBytes
	}
	return &Cache{
		max: maxBytes, entries: map[cacheKey]*list.Element{}, order: list.New(), making: map[cacheKey]*making{},
	}
}

// Bytes returns the size of the sound in the cache.
func (c *Cache) Bytes() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.size
}

func keyOf(m Mouth, p scenario.Persona, language, text string) cacheKey {
	key := cacheKey{
		voice: p.Voice, accent: p.Accent, language: language, text: text, pitch: p.Pitch, pace: p.Pace,
	}
	if e, ok := m.(interface{ Engine() string }); ok {
		key.engine = e.Engine()
	}
	return key
}

// get returns the line for key, calling f to make it if it is not cached. Errors are not cached, but
// shared with the calls that waited for the same line: a silent engine is not asked for each in turn.
func (c *Cache) get(ctx context.Context, key cacheKey, f func() (*line, error)) (*line, error) {
	for {
		c.mu.Lock()
		if e, ok := c.entries[key]; ok {
			c.order.MoveToFront(e)
			c.mu.Unlock()
			return e.Value.(*cached).line, nil
		}
		m, busy := c.making[key]
		if !busy {
			m = &making{done: make(chan struct{})}
			c.making[key] = m
			c.mu.Unlock()
			return c.make(ctx, key, m, f)
		}
		c.mu.Unlock()
		select {
		case <-m.done:
			if !m.givenUp {
				return m.line, m.err
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (c *Cache) make(ctx context.Context, key cacheKey, m *making, f func() (*line, error)) (*line, error) {
	m.line, m.err = f()
	m.givenUp = m.err != nil && ctx.Err() != nil
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.making, key)
	close(m.done)
	if m.err != nil {
		return nil, m.err
	}
	c.entries[key] = c.order.PushFront(&cached{key: key, line: m.line})
	c.size += m.line.bytes()
	for c.size > c.max && c.order.Len() > 0 {
		last := c.order.Remove(c.order.Back()).(*cached)
		delete(c.entries, last.key)
		c.size -= last.line.bytes()
	}
	return m.line, nil
}
