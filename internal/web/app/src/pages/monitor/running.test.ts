import { expect, it } from "vitest";
import type { Schemas } from "../../api/client";
import { endedBy } from "./running";

const hour = 3_600_000;
const point = (i: number, value: number) => ({ at: i * hour, n: value, count: null, value, expected: null, low: null, high: null });
const line = (unit: Schemas["TrendLine"]["unit"]) => ({ metric: "", unit, points: [point(10, 8), point(11, 9), point(12, 2), point(13, 0)] });

it("draws no number of calls before its hour is over, and tells what has come of it so far", () => {
  const { points } = endedBy(line("calls"), 14 * hour, 12.3 * hour);
  expect(points.map(({ value }) => value)).toEqual([8, 9, null, null]);
  expect(points.map(({ soFar }) => soFar)).toEqual([undefined, undefined, 2, undefined]);
});

it("tells what has come of an hour from its first moment, at which the clock of a page may stand for a while", () => {
  expect(endedBy(line("calls"), 14 * hour, 12 * hour).points.map(({ soFar }) => soFar)).toEqual([undefined, undefined, 2, undefined]);
});

it("leaves all else as it is", () => {
  expect(endedBy(line("share"), 14 * hour, 12.3 * hour)).toEqual({ unit: "share", points: line("share").points });
  expect(endedBy(line("calls"), 14 * hour, 14 * hour).points).toEqual(line("calls").points);
});
