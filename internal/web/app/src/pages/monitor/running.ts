import type { Schemas } from "../../api/client";

/** Running is a point whose hour or day is not over: value is null, and soFar is the number of calls up to now. */
export interface Running {
  soFar?: number | undefined;
}

/**
 * endedBy marks the points of a number of calls that are not over by now: drawn like the others they would look like a fall. until is the end of the last point.
 * Shares, means and percentiles are left alone, since those of part of an hour are as good.
 */
export function endedBy(line: Schemas["TrendLine"], until: number, now: number): { unit: string; points: (Schemas["TrendPoint"] & Running)[] } {
  const { points } = line;
  if (line.unit !== "calls" || until <= now) return { unit: line.unit, points };
  const endOf = (i: number) => points[i + 1]?.at ?? until;
  return { unit: line.unit, points: points.map((point, i) => (endOf(i) <= now ? point : { ...point, value: null, soFar: point.at <= now ? (point.value ?? undefined) : undefined })) };
}
