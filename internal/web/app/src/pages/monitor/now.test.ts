import { expect, it } from "vitest";
import { completeBefore, countedOf, nowOf } from "./now";

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
