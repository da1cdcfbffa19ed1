import type { LiveEvent, StreamEvent } from "../../api/events";

/** LiveCall is what the stream has told about a running call. */
export interface LiveCall {
  state: LiveEvent["state"];
  /** time is how long it has been answered, ms. */
  time: number;
  /** step is how much each peak covers, ms. */
  step: number;
  caller: number[];
  agent: number[];
  said: LiveEvent["said"];
}

/** Step is the state of a call as the stream told it. */
export type Step = Pick<StreamEvent, "status" | "scoring_status" | "verdict">;

/** onLine tells whether a call is on the line: its card is shown. */
export const onLine = ({ status, verdict }: Step) => !verdict && (status === "DIALING" || status === "IN_PROGRESS");

// Bounds of what is kept of a call: an hour of peaks, and so many utterances.
const MaxPeaks = 36_000;
const MaxSaid = 500;

/** Pace is how often listeners are notified at most, in ms: with many calls there are many messages per second. */
const Pace = 250;

/** LiveCalls collects what the stream tells about running calls. The service stores none of it, so outlines begin when the page is opened. */
export class LiveCalls {
  readonly calls = new Map<string, LiveCall>();
  readonly steps = new Map<string, Step>();
  private version = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly listeners = new Set<() => void>();

  /** subscribe and snapshot serve useSyncExternalStore. */
  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };
  readonly snapshot = () => this.version;

  /** step takes a stored event: the new state of a call. */
  readonly step = (event: StreamEvent) => {
    if (event.kind !== "call" || !event.call_id) return;
    this.steps.set(event.call_id, event);
    const live = this.calls.get(event.call_id);
    if (event.verdict) this.calls.delete(event.call_id);
    // A service process that was stopped could not send that its calls are over.
    else if (live && !onLine(event)) this.calls.set(event.call_id, { ...live, state: "over" });
    this.changed();
  };

  /** take takes a live message. */
  readonly take = (event: LiveEvent) => {
    const before = this.calls.get(event.call_id);
    const old = before && event.t_ms >= before.time ? before : undefined; // a second attempt begins anew
    // A new object for each message tells the memoised cards which of them to render. The arrays of peaks are kept and grow.
    const call: LiveCall = old ? { ...old, state: event.state, time: event.t_ms } : { state: event.state, time: event.t_ms, step: event.outline.step_ms || 100, caller: [], agent: [], said: [] };
    const from = Math.round(event.outline.from_ms / call.step);
    lay(call.caller, from, event.outline.caller);
    lay(call.agent, from, event.outline.agent);
    // After a reconnection the first message holds everything that was said.
    const fresh = event.said.filter((s) => !call.said.some((old) => old.speaker === s.speaker && old.start_ms === s.start_ms && old.text === s.text));
    if (fresh.length > 0) call.said = [...call.said, ...fresh].sort((a, b) => a.start_ms - b.start_ms).slice(-MaxSaid);
    this.calls.set(event.call_id, call);
    this.changed();
  };

  private changed() {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.version++;
      for (const listener of this.listeners) listener();
    }, Pace);
  }
}

/** lay writes peaks at their place. What was missed in between counts as silence. */
function lay(peaks: number[], from: number, more: number[]) {
  if (from < 0 || from > MaxPeaks) return;
  while (peaks.length < from) peaks.push(0);
  more.slice(0, MaxPeaks - from).forEach((peak, i) => {
    peaks[from + i] = peak;
  });
}

/**
 * placesOf assigns calls to places: a call on the line keeps its place, a new one takes the first whose call has ended, or one at the end. So cards do not move
 * while somebody looks at them.
 */
export function placesOf(before: readonly string[], on: readonly string[]): string[] {
  const alive = new Set(on);
  const places = [...before];
  const seated = new Set(places);
  const fresh = on.filter((id) => !seated.has(id));
  for (let i = 0; i < places.length && fresh.length > 0; i++) {
    if (!alive.has(places[i] ?? "")) places[i] = fresh.shift() ?? "";
  }
  return [...places, ...fresh];
}

/**
 * leftOf estimates how much time is left, in ms, from the pace so far; null before the first call is settled. Calls under way count as half done: of a large run,
 * the first one is settled when many have begun.
 */
export function leftOf(settled: number, underWay: number, calls: number, elapsed: number | null): number | null {
  if (elapsed == null || settled === 0 || settled >= calls) return null;
  const done = settled + underWay / 2;
  return (elapsed / done) * (calls - done);
}
