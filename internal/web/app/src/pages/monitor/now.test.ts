import { expect, it } from "vitest";
import { completeBefore, countedOf, nowOf, outside } from "./now";

const hour = 3_600_000;

it("takes the hour that runs apart from the complete ones of which the figures speak", () => {
  const now = 100 * hour + 1_200_000;
  const until = completeBefore({}, now);
  expect(until).toBe(100 * hour);
  const points = Array.from({ length: 72 }, (_, i) => ({ at: (29 + i) * hour, n: i === 71 ? 8 : 2 }));
  expect(points.at(-1)?.at).toBe(100 * hour);
  expect(countedOf(points, until)).toEqual({ calls: 48, since: 8, until });
  expect(countedOf(undefined, until)).toBeUndefined();
});

it("asks up to the end of the hour that runs, so that what begins now is told", () => {
  expect((nowOf({}, 100 * hour + 1).overview.queryKey as unknown as unknown[])[2]).toMatchObject({ params: { query: { until: 101 * hour } } });
});

it("tells what lies beyond the usual, as near as whole calls can tell", () => {
  const share = { unit: "share", low: 0.0006, high: 0.46, n: 103 };
  expect([0, 0.4, 0.47].map((seen) => outside({ ...share, seen }))).toEqual([undefined, undefined, "above"]);
  expect(outside({ ...share, n: 10_000, seen: 0 })).toBe("below");
  expect([0, 1, 9].map((seen) => outside({ unit: "calls", low: 0.8, high: 7.4, n: 9, seen }))).toEqual(["below", undefined, "above"]);
  expect([outside({ unit: "s", low: 1, high: 2, n: 3, seen: 0.99 }), outside({ ...share, seen: null }), outside({ ...share, low: null, seen: 0 })]).toEqual(["below", undefined, undefined]);
});
