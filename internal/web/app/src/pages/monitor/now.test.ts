import { expect, it } from "vitest";
import { completeBefore, countedOf, doubtful, nowOf, outside } from "./now";

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
  const share = { unit: "share", low: 0.0006, high: 0.46, n: 103 } as const;
  expect([0, 0.4, 0.47].map((seen) => outside({ ...share, seen }))).toEqual([undefined, undefined, "above"]);
  expect(outside({ ...share, n: 10_000, seen: 0 })).toBe("below");
  expect([0, 1, 9].map((seen) => outside({ unit: "calls", low: 0.8, high: 7.4, n: 9, seen }))).toEqual(["below", undefined, "above"]);
  expect([outside({ unit: "s", low: 1, high: 2, n: 3, seen: 0.99 }), outside({ ...share, seen: null }), outside({ ...share, low: null, seen: 0 })]).toEqual(["below", undefined, undefined]);
});

it("says what is worse than usual where nothing departs for sure", () => {
  const errors = { metric: "error_rate", unit: "share", n: 100, seen: 0.15, expected: 0.02, low: 0, high: 0.06 } as const;
  const cost = { metric: "cost", unit: "usd", n: 100, seen: 0.01, expected: 0.05, low: 0.03, high: 0.08 } as const;
  const calls = { metric: "calls", unit: "calls", n: 100, seen: 100, expected: 160, low: 120, high: 200 } as const;
  expect(doubtful([errors, cost])).toBe("Nothing clearly departs from the usual. Worse than usual, but possibly by chance: Errors 15 % (usually 0 to 6.0 %).");
  expect(doubtful([calls])).toBe("Nothing clearly departs from the usual. Worse than usual, but possibly by chance: Calls 100 (usually 120 to 200).");
  expect(doubtful([cost, { ...errors, seen: 0.06 }, { ...calls, seen: 300 }])).toBeUndefined();
});
