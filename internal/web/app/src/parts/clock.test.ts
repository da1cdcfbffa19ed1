import { renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useClock } from "./clock";

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

it("shows no time of hours ago when it is read again after a while in which nobody looked", () => {
  const first = renderHook(() => useClock((now) => now));
  first.unmount();
  vi.setSystemTime(9_000_000);
  const seen: number[] = [];
  renderHook(() => seen.push(useClock((now) => now)));
  expect(seen[0]).toBe(9_000_000);
});
