package pgtest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	superuser    = "postgres"
	startTimeout = 90 * time.Second
	startTries   = 3
)

// keep runs the server for as long as its own standard input stays open, which
// is as long as the test process lives, however that ends. Then it stops the
// server and removes the folder. A line on standard input is an order, each is
// answered once it is done. $1 the binaries, $2 the folder, the rest options.
const keep = `bin="$1"; folder="$2"; shift 2
begin() { "$bin/postgres" -D "$folder/data" "$@" >>"$folder/log" 2>&1 & server=$!; }
end() { kill -QUIT $server 2>/dev/null; wait $server; }
begin "$@"
while read -r order; do
case $order in crash) end;; start) begin "$@";; esac
echo done
done
end; cd /; rm -rf "$folder"`

// leash holds the server's keeper.
type leash struct {
	stdin  io.WriteCloser
	answer *bufio.Reader
	cmd    *exec.Cmd
}

// order has the keeper do something and waits until it is done.
func (l leash) order(what string) error {
	if _, err := io.WriteString(l.stdin, what+"\n"); err != nil {
		return err
	}
	_, err := l.answer.ReadString('\n')
	return err
}

func (l leash) let() {
	_ = l.stdin.Close()
	_ = l.cmd.Wait()
}

func start(durable bool) (*Server, error) {
	bin, err := binaries()
	if err != nil {
		return nil, err
	}
	owner, err := runAs()
	if err != nil {
		return nil, err
	}
	var failure error
	for range startTries { // another program may take the port first
		s, err := startOnce(bin, owner, durable)
		if err == nil {
			return s, nil
		}
		failure = err
	}
	return nil, failure
}

func startOnce(bin string, owner *syscall.Credential, durable bool) (*Server, error) {
	folder, err := makeFolder(bin, owner)
	if err != nil {
		return nil, err
	}
	port, claim, err := claimPort()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command("/bin/sh", append([]string{"-c", keep, "keep", bin, folder}, options(port, folder, durable)...)...)
	cmd.Dir = folder
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: owner, Setpgid: true}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, errors.Join(err, claim.Close())
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, errors.Join(err, claim.Close())
	}
	if err := cmd.Start(); err != nil {
		return nil, errors.Join(fmt.Errorf("start PostgreSQL: %w", err), claim.Close())
	}
	s := &Server{port: port, claim: claim, folder: folder, leash: leash{stdin, bufio.NewReader(stdout), cmd}}
	if err := s.await(); err != nil {
		log, _ := os.ReadFile(filepath.Join(folder, "log"))
		s.Stop()
		return nil, fmt.Errorf("PostgreSQL did not come up: %w\n%s", err, log)
	}
	return s, nil
}

func options(port int, folder string, durable bool) []string {
	sync, buffers := "off", "32MB"
	if durable {
		sync, buffers = "on", "128MB"
	}
	return []string{
		"-p", strconv.Itoa(port), "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=" + folder,
		"-c", "max_connections=300", "-c", "shared_buffers=" + buffers,
		"-c", "fsync=" + sync, "-c", "synchronous_commit=" + sync, "-c", "full_page_writes=" + sync,
	}
}

// await comes back once the server answers, and it is this one: whoever finds
// the port taken must not work in the databases of the one that took it.
func (s *Server) await() error {
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	for {
		data, err := s.dataFolder(ctx)
		if err == nil {
			if data != filepath.Join(s.folder, "data") {
				return fmt.Errorf("port %d is another server's", s.port)
			}
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// dataFolder is where the server that answers at the port keeps its files.
func (s *Server) dataFolder(ctx context.Context) (string, error) {
	conn, err := pgx.Connect(ctx, s.address("postgres"))
	if err != nil {
		return "", err
	}
	defer func() { _ = conn.Close(ctx) }()
	var folder string
	err = conn.QueryRow(ctx, "SHOW data_directory").Scan(&folder)
	return folder, err
}

// binaries is the folder of the newest installed server.
func binaries() (string, error) {
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil {
		return "", err
	}
	version := func(path string) int {
		n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(path))))
		return n
	}
	slices.SortFunc(found, func(a, b string) int { return version(b) - version(a) })
	if len(found) > 0 {
		return filepath.Dir(found[0]), nil
	}
	path, err := exec.LookPath("initdb")
	if err != nil {
		return "", errors.New("PostgreSQL is not installed, and the tests need it: run `make setup` (apt package postgresql)")
	}
	return filepath.Dir(path), nil
}

// runAs is nil, or who to be when we are root, whom PostgreSQL does not run for.
func runAs() (*syscall.Credential, error) {
	if os.Getuid() != 0 {
		return nil, nil
	}
	u, err := user.Lookup(superuser)
	if err != nil {
		return nil, fmt.Errorf("run `make setup`: PostgreSQL does not run as root and the user %q is not there: %w", superuser, err)
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		return nil, err
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
}

// makeFolder makes a folder of the owner's with an empty cluster in it.
func makeFolder(bin string, owner *syscall.Credential) (string, error) {
	folder, err := os.MkdirTemp("", "ringtrue-pg-")
	if err != nil {
		return "", err
	}
	if owner != nil {
		if err := os.Chown(folder, int(owner.Uid), int(owner.Gid)); err != nil {
			return "", err
		}
	}
	cmd := exec.Command(filepath.Join(bin, "initdb"), "-D", filepath.Join(folder, "data"), "-U", superuser,
		"--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C")
	cmd.Dir = folder
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: owner}
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", errors.Join(fmt.Errorf("initdb: %w\n%s", err, out), os.RemoveAll(folder))
	}
	return folder, nil
}

// The ports of servers lie below those that systems give to connections, so that
// nobody takes one while its server is down.
const (
	firstPort = 31100
	ports     = 1600
)

// claimPort finds a port that nobody listens on and claims it for as long as the
// claim is open. The claim is the UDP port of the same number: servers of all
// test processes respect it, also while the server whose port it is is still
// coming up or has crashed, and it goes with the process.
func claimPort() (int, io.Closer, error) {
	var failure error
	for range 100 {
		address := fmt.Sprintf("127.0.0.1:%d", firstPort+rand.IntN(ports))
		claim, err := net.ListenPacket("udp4", address)
		if err != nil {
			failure = err
			continue
		}
		l, err := net.Listen("tcp4", address)
		if err != nil {
			failure = errors.Join(err, claim.Close())
			continue
		}
		return l.Addr().(*net.TCPAddr).Port, claim, l.Close()
	}
	return 0, nil, failure
}
