import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { follow, type StreamEvent } from "./events";

class Source {
  static CLOSED = 2;
  static made: Source[] = [];
  readyState = 0;
  onopen?: () => void;
  onerror?: () => void;
  heard = new Map<string, (message: { data: string; lastEventId: string }) => void>();
  constructor(public url: string) {
    Source.made.push(this);
  }
  addEventListener(kind: string, listener: (message: { data: string; lastEventId: string }) => void) {
    this.heard.set(kind, listener);
  }
  close() {
    this.readyState = Source.CLOSED;
  }
}

const newest = () => Source.made.at(-1) as Source;

describe("follow", () => {
  const events: StreamEvent[] = [];
  const states: string[] = [];
  let stop: () => void;

  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("EventSource", Source);
    Source.made.length = events.length = states.length = 0;
    stop = follow({ experiment: "ve_1", onEvent: (event) => events.push(event), onState: (state) => states.push(state) });
  });
  afterEach(() => {
    stop();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("hears the events of one experiment and passes over what is no JSON", () => {
    expect(newest().url).toBe("/api/rest/events?voice_experiment_id=ve_1&live=false");
    newest().onopen?.();
    newest().heard.get("call")?.({ data: "{", lastEventId: "6" });
    newest().heard.get("call")?.({ data: '{"kind":"call","call_id":"call_1"}', lastEventId: "7" });
    expect(events).toEqual([{ kind: "call", call_id: "call_1" }]);
    expect(states).toEqual(["open"]);
  });

  it("leaves a short break to the browser and begins anew when the browser gives up", () => {
    newest().heard.get("call")?.({ data: "{}", lastEventId: "7" });
    newest().onerror?.();
    vi.advanceTimersByTime(60_000);
    expect(Source.made).toHaveLength(1);
    newest().readyState = Source.CLOSED;
    newest().onerror?.();
    vi.advanceTimersByTime(2_000);
    expect(Source.made).toHaveLength(2);
    expect(newest().url).toContain("after=7");
  });

  it("waits longer each time that it is refused", () => {
    for (const pause of [2_000, 4_000, 8_000]) {
      const before = Source.made.length;
      newest().readyState = Source.CLOSED;
      newest().onerror?.();
      vi.advanceTimersByTime(pause - 1);
      expect(Source.made).toHaveLength(before);
      vi.advanceTimersByTime(1);
      expect(Source.made).toHaveLength(before + 1);
    }
  });

  it("holds no connection while nobody looks", () => {
    const hidden = vi.spyOn(document, "hidden", "get").mockReturnValue(true);
    document.dispatchEvent(new Event("visibilitychange"));
    expect(newest().readyState).toBe(Source.CLOSED);
    hidden.mockReturnValue(false);
    document.dispatchEvent(new Event("visibilitychange"));
    expect(Source.made).toHaveLength(2);
  });
});
