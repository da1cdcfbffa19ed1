import type { Schemas } from "../../api/client";

/** Running is a point of a number of calls in a stretch of time that still runs: its value is unknown before it is over, soFar is what has come of it. */
export interface Running {
  soFar?: number | undefined;
}

/**
 * endedBy takes what has not ended by now out of the course of a number of calls, which would seem to fall at its end however well things went. until is the
 * end of the last point. Shares, means and percentiles of part of a stretch are as good as those of a whole one.
 */
export function endedBy(line: Schemas["TrendLine"], until: number, now: number): { unit: string; points: (Schemas["TrendPoint"] & Running)[] } {
  const points = line.points ?? [];
  if (line.unit !== "calls" || until <= now) return { unit: line.unit, points };
  const endOf = (i: number) => points[i + 1]?.at ?? until;
  return { unit: line.unit, points: points.map((point, i) => (endOf(i) <= now ? point : { ...point, value: null, soFar: point.at <= now ? (point.value ?? undefined) : undefined })) };
}
