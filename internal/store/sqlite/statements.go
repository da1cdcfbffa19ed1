package sqlite

import (
	"container/list"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"strconv"
	"strings"

	modernc "modernc.org/sqlite"
)

// maxStatements is how many statements a connection keeps prepared, those that
// were used last. The service has about as many in constant use.
const maxStatements = 200

// connector opens connections that keep their statements: to read a statement's
// text and plan it costs several times what it does to run it.
type connector struct {
	driver  *modernc.Driver
	address string
	// gather is the VFS of its connections, nil for the system's own. It lives as long as they do.
	gather *gather
}

// Connect implements driver.Connector.
func (c connector) Connect(context.Context) (driver.Conn, error) {
	address := c.address
	if c.gather != nil {
		address += "&vfs=" + c.gather.name
	}
	opened, err := c.driver.Open(address)
	if err != nil {
		return nil, err
	}
	plain, ok := opened.(plainConn)
	if !ok {
		return nil, errors.Join(fmt.Errorf("a connection to SQLite is a %T", opened), opened.Close())
	}
	return &keeper{plainConn: plain, byText: map[string]*list.Element{}, recent: list.New()}, nil
}

// Driver implements driver.Connector.
func (c connector) Driver() driver.Driver { return c.driver }

// plainConn is what the driver's connections can do.
type plainConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.Pinger
	driver.QueryerContext
	driver.SessionResetter
	driver.Validator
}

// keeper is a connection that keeps its statements prepared. Like any
// connection it is used by one goroutine at a time.
type keeper struct {
	plainConn
	byText map[string]*list.Element
	// recent are the *kept, those first that were used last.
	recent *list.List
}

// kept is a prepared statement.
type kept struct {
	text string
	stmt plainStmt
	// inUse says that its rows are still being read.
	inUse bool
}

// plainStmt is what the driver's statements can do.
type plainStmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// ExecContext implements driver.ExecerContext.
func (k *keeper) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	if len(args) == 1 {
		if rows, ok := args[0].Value.(many); ok {
			return k.execMany(ctx, text, rows)
		}
	}
	s, err := k.statement(ctx, text, len(args))
	if err != nil {
		return nil, err
	}
	if s == nil {
		return k.plainConn.ExecContext(ctx, text, args)
	}
	return s.stmt.ExecContext(ctx, args)
}

// QueryContext implements driver.QueryerContext.
func (k *keeper) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	s, err := k.statement(ctx, text, len(args))
	if err != nil {
		return nil, err
	}
	if s == nil {
		return k.plainConn.QueryContext(ctx, text, args)
	}
	rows, err := s.stmt.QueryContext(ctx, args)
	if err != nil {
		return nil, err
	}
	s.inUse = true
	return &keptRows{Rows: rows, of: s}, nil
}

// Close implements driver.Conn.
func (k *keeper) Close() error {
	for e := k.recent.Front(); e != nil; e = e.Next() {
		_ = held(e).stmt.Close() // the connection goes with them
	}
	k.byText, k.recent = nil, list.New()
	return k.plainConn.Close()
}

// statement is the prepared statement with the text; nil when it has to be run
// without: texts without arguments change the file's form or its settings, and
// one whose rows are still being read cannot be run again.
func (k *keeper) statement(ctx context.Context, text string, args int) (*kept, error) {
	if args == 0 {
		return nil, nil
	}
	if e, ok := k.byText[text]; ok {
		k.recent.MoveToFront(e)
		if held(e).inUse {
			return nil, nil
		}
		return held(e), nil
	}
	prepared, err := k.PrepareContext(ctx, unnumbered(text, args))
	if err != nil {
		return nil, err
	}
	stmt, ok := prepared.(plainStmt)
	if !ok {
		return nil, prepared.Close()
	}
	k.makeRoom()
	s := &kept{text: text, stmt: stmt}
	k.byText[text] = k.recent.PushFront(s)
	return s, nil
}

func held(e *list.Element) *kept {
	s, _ := e.Value.(*kept) // nothing else is in the list
	return s
}

// makeRoom lets go of the statement that was used longest ago.
func (k *keeper) makeRoom() {
	for e := k.recent.Back(); e != nil && k.recent.Len() >= maxStatements; {
		before := e.Prev()
		if s := held(e); !s.inUse {
			_ = s.stmt.Close() // its last run has told its error
			delete(k.byText, s.text)
			k.recent.Remove(e)
		}
		e = before
	}
}

// unnumbered writes ? for $1, $2, … where each of the arguments stands once and
// in its order. SQLite finds an argument with a name by going through the names
// of all, so that a statement's cost grows with their square.
func unnumbered(text string, args int) string {
	var out strings.Builder
	quoted, n := false, 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		quoted = quoted != (c == '\'')
		switch {
		case quoted || c != '$' && c != '?':
			out.WriteByte(c)
		default:
			n++
			number := strconv.Itoa(n)
			after, inOrder := strings.CutPrefix(text[i+1:], number)
			if c == '?' || !inOrder || after != "" && after[0] >= '0' && after[0] <= '9' {
				return text
			}
			out.WriteByte('?')
			i += len(number)
		}
	}
	if n != args {
		return text
	}
	return out.String()
}

// keptRows are the rows of a prepared statement.
type keptRows struct {
	driver.Rows
	of *kept
}

// Close implements driver.Rows.
func (r *keptRows) Close() error {
	r.of.inUse = false
	return r.Rows.Close()
}
