import { describe, expect, it, vi } from "vitest";
import { instantOf, local } from "./timerange";

describe("the time that a field holds", () => {
  it("is the one before, to the millisecond, as long as nobody has written another one", () => {
    const at = Date.UTC(2026, 5, 1, 10, 20, 30, 400);
    expect(instantOf(local(at), at)).toBe(at);
    expect(instantOf("", undefined)).toBeUndefined();
  });

  it("is the second of the two in the hour that clocks show twice, if that is the one before", () => {
    vi.stubEnv("TZ", "Europe/Berlin");
    const twice = [Date.UTC(2026, 9, 25, 0, 30), Date.UTC(2026, 9, 25, 1, 30)];
    expect(twice.map(local)).toEqual(["2026-10-25T02:30", "2026-10-25T02:30"]);
    expect(twice.map((at) => instantOf(local(at), at))).toEqual(twice);
    vi.unstubAllEnvs();
  });

  it("is what somebody has written instead, in the reader's zone, or none when it was emptied", () => {
    const at = Date.UTC(2026, 5, 1, 10, 20);
    expect(instantOf("2026-06-02T08:15", at)).toBe(new Date(2026, 5, 2, 8, 15).getTime());
    expect(instantOf("", at)).toBeUndefined();
  });
});
