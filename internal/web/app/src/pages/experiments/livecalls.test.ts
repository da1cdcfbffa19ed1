import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { LiveEvent } from "../../api/events";
import { LiveCalls, leftOf, placesOf } from "./livecalls";

const event = (part: Partial<LiveEvent>): LiveEvent => ({
  kind: "live", voice_experiment_id: "ve_1", call_id: "call_1", state: "answered", t_ms: 0, outline: { from_ms: 0, step_ms: 100, caller: [], agent: [] }, said: [], ...part,
});

describe("running calls", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("lays outlines where they belong, and silence where a message was missed", () => {
    const live = new LiveCalls();
    live.take(event({ outline: { from_ms: 0, step_ms: 100, caller: [0.1, 0.2], agent: [0, 0.5] } }));
    live.take(event({ t_ms: 500, outline: { from_ms: 400, step_ms: 100, caller: [0.3], agent: [0.4] } }));
    expect(live.calls.get("call_1")).toMatchObject({ time: 500, caller: [0.1, 0.2, 0, 0, 0.3], agent: [0, 0.5, 0, 0, 0.4] });
  });

  it("tells once what is told again after a break", () => {
    const live = new LiveCalls();
    const hello = { speaker: "agent" as const, text: "Hello", start_ms: 300, end_ms: 900 };
    live.take(event({ said: [hello] }));
    live.take(event({ said: [hello, { speaker: "caller", text: "Hi", start_ms: 1200, end_ms: 1500 }] }));
    expect(live.calls.get("call_1")?.said.map((s) => s.text)).toEqual(["Hello", "Hi"]);
  });

  it("forgets a call that is settled, and tells those who look at most four times a second", () => {
    const live = new LiveCalls();
    const look = vi.fn();
    live.subscribe(look);
    for (let i = 0; i < 50; i++) live.take(event({ t_ms: i }));
    live.step({ kind: "call", at: 1, voice_experiment_id: "ve_1", call_id: "call_1", status: "ENDED", scoring_status: "SCORED", verdict: "passed" });
    vi.advanceTimersByTime(1000);
    expect(look).toHaveBeenCalledTimes(1);
    expect(live.calls.size).toBe(0);
    expect(live.steps.get("call_1")?.verdict).toBe("passed");
  });

  it("begins anew with a second attempt", () => {
    const live = new LiveCalls();
    const said = (text: string) => [{ speaker: "caller" as const, text, start_ms: 300, end_ms: 900 }];
    live.take(event({ t_ms: 28_000, outline: { from_ms: 0, step_ms: 100, caller: [0.9, 0.9], agent: [0, 0] }, said: said("Before") }));
    live.take(event({ state: "dialing" }));
    expect(live.calls.get("call_1")).toMatchObject({ state: "dialing", time: 0, caller: [], said: [] });
    live.take(event({ t_ms: 1000, said: said("Again") }));
    expect(live.calls.get("call_1")?.said.map((s) => s.text)).toEqual(["Again"]);
  });

  it("has a call over when the service that told of it ended before it could say so", () => {
    const live = new LiveCalls();
    live.take(event({ t_ms: 28_000 }));
    const step = { kind: "call", at: 1, voice_experiment_id: "ve_1", call_id: "call_1", scoring_status: "PENDING" } as const;
    live.step({ ...step, status: "IN_PROGRESS" });
    expect(live.calls.get("call_1")?.state).toBe("answered");
    live.step({ ...step, status: "ENDED" });
    expect(live.calls.get("call_1")?.state).toBe("over");
  });

  it("keeps each call in its place, and gives a free place to the next", () => {
    let places = placesOf([], ["a", "b", "c"]);
    expect(places).toEqual(["a", "b", "c"]);
    places = placesOf(places, ["a", "c"]);
    expect(places).toEqual(["a", "b", "c"]);
    places = placesOf(places, ["a", "c", "d", "e"]);
    expect(places).toEqual(["a", "d", "c", "e"]);
  });

  it("tells a call that has changed from the others", () => {
    const live = new LiveCalls();
    live.take(event({ call_id: "call_1" }));
    live.take(event({ call_id: "call_2" }));
    const [one, two] = [live.calls.get("call_1"), live.calls.get("call_2")];
    live.take(event({ call_id: "call_2", t_ms: 500 }));
    expect(live.calls.get("call_1")).toBe(one);
    expect(live.calls.get("call_2")).not.toBe(two);
  });

  it("says how long it will take once something tells", () => {
    expect([leftOf(0, 0, 10, 5000), leftOf(5, 0, 10, 5000), leftOf(10, 0, 10, 5000), leftOf(1, 0, 10, null)]).toEqual([null, 5000, null, null]);
    expect(leftOf(1, 18, 2000, 20_000)).toBe(2000 * (2000 - 10));
  });
});
