import { expect, it } from "vitest";
import { headlineOf, uncountedOf } from "./headline";

type Told = Parameters<typeof headlineOf>[0];

const rate = (passed: number, evaluated: number) => ({ passed, evaluated, value: evaluated ? passed / evaluated : null, low: 0, high: 1 });
const told = (change: string, base: [number, number], later: [number, number], ways: string[], outcome = "") =>
  ({ pass_rate: { change, base: rate(...base), with: rate(...later), difference: { outcome } }, changed_calls: ways.map((way) => ({ change: way })), changed_count: ways.length }) as unknown as Told;

it("says at once that something was mended, and that few calls may be chance", () => {
  const { change, title, caution } = headlineOf(told("unclear", [2, 5], [4, 4], ["better", "better", "better", "other"]));
  expect(change).toBe("looks_better");
  expect(title).toBe("It looks better: 40 % of the calls passed before, 100 % now, and no call that passed before fails now");
  expect(caution).toMatch(/chance/);
  expect(headlineOf(told("unclear", [4, 5], [3, 5], ["worse"])).change).toBe("looks_worse");
});

it("gives the reason why a rerun of what failed proves nothing", () => {
  const rerun = told("unclear", [0, 3], [2, 3], ["better", "better"]);
  const reason = "only what had not passed was called again";
  expect(headlineOf({ ...rerun, pass_rate: { ...rerun.pass_rate, difference: { ...rerun.pass_rate.difference, reason } } }).caution).toContain(reason);
});

it("says no more than is known where calls went both ways, or not all are told", () => {
  expect(headlineOf(told("unclear", [2, 5], [3, 5], ["better", "better", "worse"])).change).toBe("unclear");
  expect(headlineOf({ ...told("unclear", [2, 5], [3, 5], ["better"]), changed_count: 2000 }).change).toBe("unclear");
  expect(headlineOf(told("unclear", [2, 5], [2, 5], [])).change).toBe("unclear");
});

it("says what is sure, and what nothing is known of", () => {
  expect(headlineOf(told("better", [40, 100], [90, 100], [])).title).toBe("It got better: 40 % of the calls passed before, 90 % now");
  expect(headlineOf(told("same", [5, 5], [5, 5], [], "not_enough")).title).toMatch(/too little evidence/);
  expect(headlineOf(told("unclear", [0, 0], [5, 5], [])).title).toMatch(/one of the two has nothing evaluated/);
});

it("tells the rates that the difference is of, where one run has more than the other", () => {
  const more = told("better", [90, 100], [50, 100], []);
  const both = { scenarios: 4, base: rate(10, 40), with: rate(30, 40) };
  expect(headlineOf({ ...more, pass_rate: { ...more.pass_rate, both } }).title).toBe("It got better: 25 % of the calls passed before in the scenarios that both have, 75 % now");
});

it("names the calls that count in no difference, also those that a canceled run never judged", () => {
  const whole = { counts: { calls: 300, passed: 196, failed: 102, void: 2, not_evaluated: 0 } };
  const canceled = { counts: { calls: 300, passed: 3, failed: 4, void: 0, not_evaluated: 1 } };
  expect(uncountedOf({ base: whole, with: canceled })).toEqual([
    "Void calls are left out of the differences: 2 in the base, 0 in the other.", "Calls without a verdict are left out of the differences: 0 in the base, 292 in the other.",
  ]);
  expect(uncountedOf({ base: canceled, with: canceled })).toHaveLength(1);
});
