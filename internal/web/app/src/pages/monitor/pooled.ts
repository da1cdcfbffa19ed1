/** Course is what is needed of a point of a series. n and count are those of a share; over is how many points are pooled in it. */
export interface Course {
  n?: number;
  count?: number | null;
  value?: number | null;
  expected?: number | null;
  low?: number | null;
  high?: number | null;
  over?: number;
}

/** enough is how many calls a share needs to be drawn; the service gives no share of fewer. */
const enough = 10;
/** longest is how many points are pooled at most. */
const longest = 24;

/**
 * pooled pools the points of a share where most of them have too few calls: each then covers as many points before it as it takes to have enough. The band of what
 * is usual is for one hour, not for several, so it is dropped.
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

/** lone are the indexes of values without a neighbour: no line reaches them, so they are drawn as points. */
export function lone(points: Course[]): number[] {
  return points.flatMap(({ value }, i) => (value != null && points[i - 1]?.value == null && points[i + 1]?.value == null ? [i] : []));
}
