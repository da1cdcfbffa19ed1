package sip

import (
	"context"
	"encoding/json"
	"fmt"
	"net/netip"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/line/sip/login"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// orphan is what another process needs to know about a dialog to hang it up when the process
// that began it is gone. It is stored as JSON.
type orphan struct {
	Trunk  string   `json:"trunk"`
	CallID string   `json:"call_id"`
	From   string   `json:"from"`
	To     string   `json:"to"`
	Target string   `json:"target"`
	Routes []string `json:"routes,omitempty"`
	CSeq   uint32   `json:"cseq"`
	Detour string   `json:"detour,omitempty"`
	Source string   `json:"source,omitempty"`
}

// cseqAhead is an upper bound for the number of requests that the dead process sent in the dialog.
const cseqAhead = 1000

// reference returns the dialog as text for HangUp.
func (d *dialog) reference(trunk string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	o := orphan{
		Trunk: trunk, CallID: d.callID, From: d.from.Value(), To: d.to.Value(), Target: d.target.String(), CSeq: d.cseq,
		Detour: d.detour, Source: d.source,
	}
	for _, r := range d.routes {
		o.Routes = append(o.Routes, r.String())
	}
	text, err := json.Marshal(o)
	if err != nil {
		return "" // cannot fail for strings
	}
	return string(text)
}

// HangUp ends a call of a process that is gone. reference is what that process passed to
// leg.Dial's OnAnswered. It is not an error if the far end no longer knows the call, but it is
// if the far end does not answer or ctx ends.
func (l *Line) HangUp(ctx context.Context, reference string) error {
	var o orphan
	if err := json.Unmarshal([]byte(reference), &o); err != nil {
		return fmt.Errorf("the call's reference: %w", err)
	}
	t, ok := l.Trunk(o.Trunk)
	if !ok || o.Trunk == "" {
		return problem.Missing("trunk", o.Trunk)
	}
	if err := l.beyond(t); err != nil {
		return err
	}
	e := l.towards(t)
	local, err := e.localFor(ctx, t.place(), t.Transport)
	if err != nil {
		return err
	}
	d, err := e.adopt(o, t, local)
	if err != nil {
		return err
	}
	return d.byeAnyway(ctx, "")
}

// adopt recreates the dialog of a process that is gone, for its last request.
func (e *endpoint) adopt(o orphan, t Trunk, local netip.Addr) (*dialog, error) {
	from, to := &msg.FromHeader{Params: msg.NewParams()}, &msg.ToHeader{Params: msg.NewParams()}
	d := &dialog{
		e: e, callID: o.CallID, from: from, to: to, transport: t.Transport, local: local,
		contact: e.contact(local, t.Transport), login: login.Login{User: t.User, Password: t.Password}, cseq: o.CSeq + cseqAhead, detour: o.Detour, source: o.Source,
		ended: make(chan struct{}), passedOn: make(chan struct{}), over: make(chan struct{}), acks: map[uint32]*awaitedAck{},
	}
	var err error
	if from.DisplayName, err = msg.ParseAddressValue(o.From, &from.Address, &from.Params); err != nil {
		return nil, fmt.Errorf("the call's reference: %w", err)
	}
	if to.DisplayName, err = msg.ParseAddressValue(o.To, &to.Address, &to.Params); err != nil {
		return nil, fmt.Errorf("the call's reference: %w", err)
	}
	if err := msg.ParseUri(o.Target, &d.target); err != nil {
		return nil, fmt.Errorf("the call's reference: %w", err)
	}
	for _, text := range o.Routes {
		var uri msg.Uri
		if err := msg.ParseUri(text, &uri); err != nil {
			return nil, fmt.Errorf("the call's reference: %w", err)
		}
		d.routes = append(d.routes, uri)
	}
	return d, nil
}
