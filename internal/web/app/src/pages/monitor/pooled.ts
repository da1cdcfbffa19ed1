/** Course is what a line needs to know of a point of a series; n and count are those of a share, over is how many points have been taken together. */
export interface Course {
  n?: number;
  count?: number | null;
  value?: number | null;
  expected?: number | null;
  low?: number | null;
  high?: number | null;
  over?: number;
}

/** enough is how many calls a share must rest on to be drawn; the interface tells none of fewer. */
const enough = 10;
/** longest is how many points are taken together at most. */
const longest = 24;

/**
 * pooled takes the points of a share together where each rests on too few calls to say anything: each then stands for itself and for as many before it as have
 * enough calls. What is usual for one hour is no band for several, so there is none.
 */
export function pooled<P extends Course>(points: P[]): (P & Course)[] {
  const few = points.filter(({ n, count, value }) => count != null && n && value == null).length;
  if (few <= points.filter(({ value }) => value != null).length) return points;
  return points.map((point, i) => {
    let [n, count, over] = [0, 0, 0];
    for (; over <= i && over < longest && n < enough; over++) {
      n += points[i - over]?.n ?? 0;
      count += points[i - over]?.count ?? 0;
    }
    return { ...point, n, count, over, value: n >= enough ? count / n : null, low: null, high: null };
  });
}

/** lone are the places of the values that have none beside them: no line leads to them, so they are drawn as points. */
export function lone(points: Course[]): number[] {
  return points.flatMap(({ value }, i) => (value != null && points[i - 1]?.value == null && points[i + 1]?.value == null ? [i] : []));
}
