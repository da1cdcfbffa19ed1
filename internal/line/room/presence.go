package room

import (
	"slices"
	"strings"
	"time"

	"github.com/livekit/protocol/livekit"

	"github.com/ringtrue/ringtrue/internal/call"
)

// cameAndWent reports whether the agent's microphone was there and the agent has left.
func (m *meeting) cameAndWent() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.left && m.chosenOf != ""
}

// isHeard reports whether anybody receives our audio, as far as the server has reported.
func (m *meeting) isHeard() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.heardUs
}

// connecting returns how much longer to wait until both sides hear each other, 0 if they do.
func (m *meeting) connecting() time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	since := time.Duration(m.pacer.Clock() - m.chosenAt)
	var wait time.Duration
	if !m.flows {
		wait = flowPatience - since
	}
	if !m.heardUs {
		wait = max(wait, hearPatience-since)
	}
	return max(wait, 0)
}

// told returns why a call ended, given what is known of the agent: if the agent or we were cut
// off, the agent is not to blame for the consequences of its silence.
func (m *meeting) told(e ending) call.EndReason {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch ours := e.by == byParty || e.why.Code == call.EndMaxDuration; {
	case ours && m.unconfirmed():
		return call.EndOf(call.EndInterrupted, "our connection to the media server was lost before the call ended")
	case ours && m.unreachable:
		return call.EndOf(call.EndMediaLost, "the agent's connection was lost before the call ended")
	}
	return e.why
}

// lastWords waits until our last audio has reached those who are still there.
func (m *meeting) lastWords() {
	if !m.present() {
		return
	}
	timer := time.NewTimer(lastWords)
	defer timer.Stop()
	<-timer.C
}

// watch checks who is there, ends the stream if nobody will be, and returns when to check again.
func (m *meeting) watch(s *stream, rejoin time.Duration) time.Duration {
	if e, gone := m.lost(); gone {
		// After a hang-up nobody has to return, and the state of our connection no longer matters.
		if left, wait := m.absence(rejoin); rejoin > 0 && wait <= 0 {
			e = left
		}
		s.stop(e)
		return time.Hour
	}
	if m.choose() {
		return time.Second
	}
	e, wait := m.absence(rejoin)
	if wait <= 0 {
		m.note(s, e)
		s.stop(e)
		return time.Hour
	}
	return min(wait, time.Second)
}

// note records that the far end has left, unless that was recorded before.
func (m *meeting) note(s *stream, e ending) {
	m.mu.Lock()
	told := m.left
	m.left = true
	m.mu.Unlock()
	if !told {
		s.without(e.why.Detail)
	}
}

// absence returns how much longer the far end, which has left, may take to return, and the end of the call
// if it does not. A far end with a microphone may be silent as long as it likes. One that has unpublished
// it counts as gone after a while, also because the server's report that it left is sometimes lost.
func (m *meeting) absence(rejoin time.Duration) (ending, time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.left {
		if m.takenAt == 0 || m.brokenAt != 0 {
			return ending{}, time.Hour
		}
		return ending{call.EndOf(call.EndAgentHungUp, "the agent removed its microphone"), byFar},
			takenPatience - time.Duration(m.pacer.Clock()-m.takenAt)
	}
	e, patience := m.parted()
	if rejoin > 0 {
		patience = rejoin
	}
	return e, patience - time.Duration(m.pacer.Clock()-m.leftAt)
}

// parted returns how the far end's leaving ends the call, and how long it may take to return; m.mu must be held. If it was
// replaced by another participant of the same identity, the new one is reported when it publishes, or after three seconds.
func (m *meeting) parted() (ending, time.Duration) {
	switch {
	case m.others[m.chosenOf] != "":
		return ending{call.EndOf(call.EndAgentHungUp, "the agent came back without a microphone"), byFar}, takenPatience
	case m.unseen:
		return ending{call.EndOf(call.EndInterrupted, "the agent was gone when our connection to the media server was restored"), byLine}, lostRejoin
	case cut(m.leftWhy):
		return ending{call.EndOf(call.EndMediaLost, "the agent's connection was lost ("+strings.ToLower(m.leftWhy.String())+")"), byLine}, lostRejoin
	case m.leftWhy == livekit.DisconnectReason_UNKNOWN_REASON:
		return ending{call.EndOf(call.EndAgentHungUp, "the agent left the room"), byFar}, lostRejoin
	}
	return ending{call.EndOf(call.EndAgentHungUp, "the agent left the room"), byFar}, usualRejoin
}

// cut reports whether a participant was lost without intending to leave.
func cut(why livekit.DisconnectReason) bool {
	return slices.Contains([]livekit.DisconnectReason{
		livekit.DisconnectReason_SIGNAL_CLOSE, livekit.DisconnectReason_STATE_MISMATCH, livekit.DisconnectReason_JOIN_FAILURE,
		livekit.DisconnectReason_CONNECTION_TIMEOUT, livekit.DisconnectReason_MEDIA_FAILURE,
	}, why)
}

// lost reports whether our own connection has ended, and how that ends the call.
func (m *meeting) lost() (ending, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if broken := m.brokenAt; !m.gone && (broken == 0 || m.pacer.Clock()-broken < int64(mendPatience)) {
		return ending{}, false
	}
	said := strings.ToLower(m.goneWhy.String())
	switch m.goneWhy { //nolint:exhaustive // all others are said as they are
	case livekit.DisconnectReason_ROOM_DELETED, livekit.DisconnectReason_ROOM_CLOSED:
		return ending{call.EndOf(call.EndAgentHungUp, "the room was closed"), byFar}, true
	case livekit.DisconnectReason_PARTICIPANT_REMOVED:
		return ending{call.EndOf(call.EndAgentHungUp, "our caller was removed from the room"), byFar}, true
	case livekit.DisconnectReason_DUPLICATE_IDENTITY:
		return ending{call.EndOf(call.EndInterrupted, "another of our callers took the room"), byLine}, true
	case livekit.DisconnectReason_SERVER_SHUTDOWN:
		return ending{call.EndOf(call.EndInterrupted, "the media server stopped"), byLine}, true
	}
	return ending{call.EndOf(call.EndInterrupted, "the connection to the media server was lost ("+said+")"), byLine}, true
}
