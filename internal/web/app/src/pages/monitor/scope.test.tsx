import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { asBefore, scopeOf, useStillWindow, useWindow, windowOf } from "./scope";

const hour = 3_600_000;
const opened = 500_000 * hour + 1_200_000;

beforeEach(() => void vi.useFakeTimers({ now: opened }));

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it("goes on with the hours on a page that stays open", () => {
  const { result } = renderHook(() => useWindow({ agent: "agt_1", last: "1d" }));
  const first = result.current;
  expect(first).toMatchObject({ agent_id: "agt_1", from: 500_000 * hour - 23 * hour, until: 500_001 * hour });
  act(() => void vi.advanceTimersByTime(20 * 60_000));
  expect(result.current).toBe(first);
  act(() => void vi.advanceTimersByTime(3 * hour));
  expect(result.current).toMatchObject({ agent_id: "agt_1", from: 500_000 * hour - 20 * hour, until: 500_004 * hour });
});

it("leaves a stretch that was chosen where it is, and a list that is read page by page", () => {
  const chosen = renderHook(() => useWindow({ from: 7 * hour, until: 9 * hour }));
  const list = renderHook(() => useStillWindow({}));
  act(() => void vi.advanceTimersByTime(3 * hour));
  expect(chosen.result.current).toMatchObject({ from: 7 * hour, until: 9 * hour });
  expect(list.result.current.until).toBe(500_001 * hour);
});

it("keeps what is shown when the hour goes on, and nothing of another question", () => {
  const asked = (query: object) => ({ queryKey: ["get", "/monitoring/failures", { params: { query } }] });
  const query = { agent_id: "agt_1", from: 8 * hour, until: 32 * hour };
  const kept = asBefore(query);
  expect(kept("before", asked({ ...query, from: 7 * hour, until: 31 * hour }))).toBe("before");
  expect(kept("before", asked({ ...query, from: 25 * hour }))).toBeUndefined();
  expect(kept("before", asked({ ...query, agent_id: undefined }))).toBeUndefined();
  expect(kept("before")).toBeUndefined();
  expect(asBefore({ until: 2 * hour })("before", asked({ until: hour }))).toBe("before");
});

it("passes over a stretch that is none, also where every object has something of its name", () => {
  expect(scopeOf({ last: "3d" }).last).toBe("3d");
  for (const last of ["4d", "constructor", "toString", "__proto__"]) expect(scopeOf({ last }).last).toBeUndefined();
});

it("passes over what is no scope", () => {
  expect(scopeOf({ last: "9y", origin: "other", from: "x", until: 5, dim: "model" })).toEqual({});
  expect(scopeOf({ last: "1d", from: 10, until: 20 })).toEqual({ from: 10, until: 20 });
});

it("ends with the hour, so that it asks the same for an hour", () => {
  expect(windowOf({}, 10 * hour + 1)).toEqual(windowOf({}, 11 * hour));
  expect(windowOf({ last: "1d" }, 100 * hour)).toMatchObject({ from: 76 * hour, until: 100 * hour });
});
