package sqlite

import (
	"unsafe"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"
)

// pages are those of one file that one connection has in memory, in place of
// SQLite's own keeping of them. That one has all connections take turns at one
// list, and looks through everything it has at each commit that split a page:
// to put pages in order SQLite gives one of them a number beyond the file's end
// for a moment, and pages beyond it are looked for afterwards.
//
// They lie in SQLite's memory, which Go knows nothing of, and are used by their
// connection alone.
type pages struct {
	// size is that of a page, and beside that of what SQLite keeps with it.
	size, beside uint64
	// spare says that pages nobody uses need not be kept, and most how many there are then.
	spare bool
	most  uint32
	// count is how many there are, idle how many of them nobody uses.
	count, idle uint32
	// high is a number that none of them is above, and next one that none but one is above.
	high, next uint32
	// chains is where the chains begin, a power of two of them; a page is in the one that its number tells.
	chains uintptr
	width  uint32
	// first is the page that has been idle for the shortest time, and last the one for the longest.
	first, last uintptr
}

// kept is a page in memory; the page itself lies before it, and what SQLite
// keeps with it behind.
type keptPage struct {
	lib.Tsqlite3_pcache_page // what SQLite sees of it
	// chained is the next one of the chain; before and after are the idle ones beside it.
	chained, before, after uintptr
	number                 uint32
	idle                   bool
}

const (
	leastWidth = 256
	ownSize    = uint64(unsafe.Sizeof(keptPage{}))
	wordSize   = unsafe.Sizeof(uintptr(0))
)

func pageAt(address uintptr) *keptPage { return at[keptPage](address) }

// pageMethods are SQLite's names for what is below. Its own way of keeping pages
// begins and ends all the same: it counts other memory, too, and has a lock for that.
func pageMethods(own lib.Tsqlite3_pcache_methods2) lib.Tsqlite3_pcache_methods2 {
	limit := func(tls *libc.TLS, c uintptr, most int32) { at[pages](c).limit(tls, uint32(max(most, 0))) } //nolint:gosec // it is not negative
	count := func(_ *libc.TLS, c uintptr) int32 { return int32(at[pages](c).count) }                      //nolint:gosec // there are not as many
	fetch := func(tls *libc.TLS, c uintptr, number uint32, create int32) uintptr {
		return at[pages](c).fetch(tls, number, create)
	}
	unpin := func(tls *libc.TLS, c, page uintptr, discard int32) { at[pages](c).unpin(tls, page, discard != 0) }
	rekey := func(tls *libc.TLS, c, page uintptr, _, number uint32) { at[pages](c).rekey(tls, page, number) }
	truncate := func(tls *libc.TLS, c uintptr, from uint32) { at[pages](c).truncate(tls, from) }
	shrink := func(tls *libc.TLS, c uintptr) { at[pages](c).limitTo(tls, 0) }
	create, destroy := newPages, freePages
	return lib.Tsqlite3_pcache_methods2{
		FiVersion: 1,
		FxInit:    own.FxInit, FxShutdown: own.FxShutdown, FxCreate: pointer(&create), FxDestroy: pointer(&destroy),
		FxCachesize: pointer(&limit), FxPagecount: pointer(&count), FxFetch: pointer(&fetch), FxUnpin: pointer(&unpin),
		FxRekey: pointer(&rekey), FxTruncate: pointer(&truncate), FxShrink: pointer(&shrink),
	}
}

func newPages(tls *libc.TLS, size, beside, spare int32) uintptr {
	address := libc.Xcalloc(tls, 1, libc.Tsize_t(unsafe.Sizeof(pages{})))
	if address == 0 {
		return 0
	}
	c := at[pages](address)
	c.size, c.beside, c.spare = uint64(size), uint64(beside), spare != 0 //nolint:gosec // they are not negative
	if c.widen(tls); c.chains == 0 {
		libc.Xfree(tls, address)
		return 0
	}
	return address
}

func freePages(tls *libc.TLS, address uintptr) {
	c := at[pages](address)
	c.truncate(tls, 0)
	libc.Xfree(tls, c.chains)
	libc.Xfree(tls, address)
}

// widen doubles the number of chains. Without memory for that they become longer.
func (c *pages) widen(tls *libc.TLS) {
	old, n := c.chains, c.width
	width := max(2*n, leastWidth)
	chains := libc.Xcalloc(tls, libc.Tsize_t(width), libc.Tsize_t(wordSize))
	if chains == 0 {
		return
	}
	c.chains, c.width = chains, width
	for i := range n {
		for p := *at[uintptr](old + uintptr(i)*wordSize); p != 0; {
			next := pageAt(p).chained
			c.chain(p)
			p = next
		}
	}
	libc.Xfree(tls, old)
}

// place is where the chain begins that a page with the number is in.
func (c *pages) place(number uint32) *uintptr {
	return at[uintptr](c.chains + uintptr(number&(c.width-1))*wordSize)
}

func (c *pages) chain(page uintptr) {
	p := pageAt(page)
	begin := c.place(p.number)
	p.chained, *begin = *begin, page
}

func (c *pages) unchain(page uintptr) {
	p := pageAt(page)
	link := c.place(p.number)
	for *link != page {
		link = &pageAt(*link).chained
	}
	*link = p.chained
}

// fetch is the page with the number, which is in use from now on; 0 when there is
// none and it is not to be made (0), or not if that means to have too many (1).
func (c *pages) fetch(tls *libc.TLS, number uint32, create int32) uintptr {
	for page := *c.place(number); page != 0; {
		p := pageAt(page)
		if p.number == number {
			c.use(p)
			return page
		}
		page = p.chained
	}
	const ifEasy, tenths, usable = 1, 10, 9
	if create == 0 || create == ifEasy && (c.count-c.idle)*tenths >= c.most*usable {
		return 0
	}
	page := c.room(tls)
	if page == 0 {
		return 0
	}
	p := pageAt(page)
	p.number = number
	*at[uintptr](p.FpExtra) = 0 // so SQLite knows a page that is new
	c.chain(page)
	c.count++
	c.reach(number)
	return page
}

// room is memory for one more page: that of the one that has been idle for the
// longest time, when there are as many as there may be.
func (c *pages) room(tls *libc.TLS) uintptr {
	if page := c.last; c.spare && page != 0 && c.count+1 >= c.most {
		c.use(pageAt(page))
		c.unchain(page)
		c.count--
		return page
	}
	if c.count >= c.width {
		c.widen(tls)
	}
	memory := libc.Xmalloc(tls, c.size+ownSize+c.beside)
	if memory == 0 {
		return 0
	}
	page := memory + uintptr(c.size)
	*pageAt(page) = keptPage{Tsqlite3_pcache_page: lib.Tsqlite3_pcache_page{FpBuf: memory, FpExtra: page + uintptr(ownSize)}}
	return page
}

// use takes a page out of the idle ones, if it is one.
func (c *pages) use(p *keptPage) {
	if !p.idle {
		return
	}
	p.idle = false
	c.idle--
	if p.before != 0 {
		pageAt(p.before).after = p.after
	} else {
		c.first = p.after
	}
	if p.after != 0 {
		pageAt(p.after).before = p.before
	} else {
		c.last = p.before
	}
}

// unpin says that nobody uses a page any more, and discard that it is of no use either.
func (c *pages) unpin(tls *libc.TLS, page uintptr, discard bool) {
	if discard || c.spare && c.count > c.most {
		c.drop(tls, page)
		return
	}
	p := pageAt(page)
	p.idle, p.before, p.after = true, 0, c.first
	if c.first != 0 {
		pageAt(c.first).before = page
	} else {
		c.last = page
	}
	c.first = page
	c.idle++
}

func (c *pages) drop(tls *libc.TLS, page uintptr) {
	p := pageAt(page)
	c.use(p)
	c.unchain(page)
	c.count--
	libc.Xfree(tls, p.FpBuf)
}

// rekey gives a page another number. One that has it already is dropped.
func (c *pages) rekey(tls *libc.TLS, page uintptr, number uint32) {
	for other := *c.place(number); other != 0; other = pageAt(other).chained {
		if pageAt(other).number == number && other != page {
			c.drop(tls, other)
			break
		}
	}
	p := pageAt(page)
	c.unchain(page)
	if p.number == c.high {
		c.high = c.next
	}
	p.number = number
	c.chain(page)
	c.reach(number)
}

// reach notes that there is a page with the number.
func (c *pages) reach(number uint32) {
	switch {
	case number > c.high:
		c.high, c.next = number, c.high
	case number < c.high:
		c.next = max(c.next, number)
	}
}

// truncate drops all pages from a number on, in use or not.
func (c *pages) truncate(tls *libc.TLS, from uint32) {
	if c.count == 0 || from > c.high {
		return
	}
	// Of few numbers only the chains that they are in are looked through.
	first, chains := uint32(0), c.width
	if n := c.high - from + 1; n != 0 && n < c.width {
		first, chains = from, n
	}
	for i := range chains {
		for page := *c.place(first + i); page != 0; {
			next := pageAt(page).chained
			if pageAt(page).number >= from {
				c.drop(tls, page)
			}
			page = next
		}
	}
	c.high = max(from, 1) - 1
	c.next = min(c.next, c.high)
}

// limit says how many pages there are to be at most.
func (c *pages) limit(tls *libc.TLS, most uint32) {
	c.most = most
	if c.spare {
		c.limitTo(tls, most)
	}
}

// limitTo drops idle pages, those first that have been idle for the longest time.
func (c *pages) limitTo(tls *libc.TLS, most uint32) {
	for c.spare && c.count > most && c.last != 0 {
		c.drop(tls, c.last)
	}
}
