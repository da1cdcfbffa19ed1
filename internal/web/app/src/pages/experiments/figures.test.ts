import { describe, expect, it } from "vitest";
import { isOver, rateOf, settled, spanOf, steadyOf, toldOf, tookOf } from "./figures";

describe("pass rate", () => {
  it("has Wilson's interval", () => {
    const rate = rateOf(8, 10);
    expect(rate.value).toBe(0.8);
    expect(rate.low).toBeCloseTo(0.4902, 4);
    expect(rate.high).toBeCloseTo(0.9433, 4);
    expect(spanOf(rate)).toBe("49–94 %");
    expect(spanOf(rateOf(2000, 2000))).toBe("99.8–100 %");
    expect(spanOf(rateOf(1, 2000))).toBe("0.01–0.3 %");
  });
  it("stays within 0 and 1 and says nothing of nothing", () => {
    expect(rateOf(3, 3).high).toBe(1);
    expect(rateOf(0, 3).low).toBeCloseTo(0, 12);
    expect(rateOf(0, 0)).toEqual({ passed: 0, evaluated: 0, value: null, low: null, high: null });
    expect(spanOf(rateOf(0, 0))).toBe("");
  });
});

it("says in how many scenarios every repetition passed", () => {
  expect(steadyOf(rateOf(8, 10))).toBe("Every repetition passed in 80 % of the scenarios (8 of 10; 95 %: 49–94 %)");
  expect(steadyOf(rateOf(8_000, 10_000))).toContain("(8,000 of 10,000; ");
  expect(steadyOf(rateOf(0, 0))).toBe("No scenario has been evaluated in every repetition");
});

describe("an experiment's time", () => {
  const e = { created_at: 1_000, started_at: null, finished_at: null, status: "RUNNING" as const };
  it("goes on until it is over", () => {
    expect(tookOf(e, 5_000)).toBe(4_000);
    expect(tookOf({ ...e, started_at: 2_000, finished_at: 3_500, status: "FINISHED" }, 9_000)).toBe(1_500);
  });
  it("is not known of one that was given up", () => {
    expect(tookOf({ ...e, status: "CANCELED" }, 5_000)).toBeNull();
    expect([isOver("SCORING"), isOver("CANCELED"), isOver(undefined)]).toEqual([false, true, false]);
  });
  it("counts what is settled", () => {
    expect(settled({ calls: 9, passed: 1, failed: 2, void: 3, not_evaluated: 1 })).toBe(7);
  });
});

it("is read out ten times in a run, however many calls it has, and to its end", () => {
  const told = (calls: number) => [...new Set(Array.from({ length: calls + 1 }, (_, done) => toldOf(done, calls)))];
  expect(told(10_000)).toEqual([0, 1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000, 10_000]);
  expect(told(23)).toEqual([0, 3, 6, 9, 12, 15, 18, 21, 23]);
  expect(told(4)).toEqual([0, 1, 2, 3, 4]);
});
