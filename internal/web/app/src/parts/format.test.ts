import { describe, expect, it } from "vitest";
import { ago, duration, figure, percent, plain, short, Unknown } from "./format";

describe("figures", () => {
  it("writes durations as a clock does", () => {
    expect([0, 41_600, 185_000, 3_723_000].map(duration)).toEqual(["0:00", "0:42", "3:05", "1:02:03"]);
  });
  it("writes short times with their unit", () => {
    expect([12.4, 999, 1250, 12_345].map(short)).toEqual(["12 ms", "999 ms", "1.25 s", "12.3 s"]);
  });
  it("shows what is not known as such", () => {
    expect([duration(null), short(undefined), percent(Number.NaN), figure(null), ago(null, 0), plain("")]).toEqual(Array(6).fill(Unknown));
  });
  it("rounds to what can be read", () => {
    expect([figure(0.123456), figure(12.3456, "s"), percent(0.0567, 1)]).toEqual(["0.123", "12.3 s", "5.7 %"]);
  });
  it("tells how long ago", () => {
    const now = Date.UTC(2026, 0, 10, 12);
    expect([10, 120, 7200, 3 * 86_400].map((s) => ago(now - s * 1000, now))).toEqual(["just now", "2 min ago", "2 h ago", "3 d ago"]);
  });
});
