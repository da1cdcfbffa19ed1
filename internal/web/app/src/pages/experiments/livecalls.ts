import type { LiveEvent, StreamEvent } from "../../api/events";

/** LiveCall is what is known of a call that is on the line. */
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

/** Step is how far a call has come, as the stream told it. */
export type Step = Pick<StreamEvent, "status" | "scoring_status" | "verdict">;

/** onLine tells whether somebody may speak in a call at the moment. */
export const onLine = ({ status, verdict }: Step) => !verdict && (status === "DIALING" || status === "IN_PROGRESS");

/** The longest call that is drawn as a whole, and the most that is kept of what was said. */
const MaxPeaks = 36_000;
const MaxSaid = 500;

/** How often those who look are told, ms: a run may have many calls at once. */
const Pace = 250;

/** LiveCalls gathers what the stream tells of running calls. Nothing of it is stored by the service, so that it begins when one begins to look. */
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

  /** step takes a step of a call that the service keeps. */
  readonly step = (event: StreamEvent) => {
    if (event.kind !== "call" || !event.call_id) return;
    this.steps.set(event.call_id, event);
    const live = this.calls.get(event.call_id);
    if (event.verdict) this.calls.delete(event.call_id);
    // A service that has ended meanwhile did not tell the end of the calls on its line.
    else if (live && !onLine(event)) this.calls.set(event.call_id, { ...live, state: "over" });
    this.changed();
  };

  /** take takes what a running call did. */
  readonly take = (event: LiveEvent) => {
    const before = this.calls.get(event.call_id);
    const old = before && event.t_ms >= before.time ? before : undefined; // a second attempt begins anew
    // A new object for each message tells a card of a hundred that it is the one to draw anew; the peaks only grow.
    const call: LiveCall = old ? { ...old, state: event.state, time: event.t_ms } : { state: event.state, time: event.t_ms, step: event.outline.step_ms || 100, caller: [], agent: [], said: [] };
    const from = Math.round(event.outline.from_ms / call.step);
    lay(call.caller, from, event.outline.caller);
    lay(call.agent, from, event.outline.agent);
    // Who comes back is told everything once more.
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

function lay(peaks: number[], from: number, more: number[]) {
  if (from < 0 || from > MaxPeaks) return;
  while (peaks.length < from) peaks.push(0);
  more.slice(0, MaxPeaks - from).forEach((peak, i) => {
    peaks[from + i] = peak;
  });
}

/**
 * placesOf gives calls their places: one that is on the line keeps its own, a new one takes the first whose call has ended, else one at the end.
 * Whoever looks at a call finds it where it was.
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

/** leftOf tells how much time is likely left, in ms, from what has been done; null while nothing tells. */
export function leftOf(settled: number, calls: number, elapsed: number | null): number | null {
  if (elapsed == null || settled === 0 || settled >= calls) return null;
  return (elapsed / settled) * (calls - settled);
}
