import { type Course, lone, pooled } from "./pooled";

/** Spark is a small chart of a series with its usual band, or a line for it. It is hidden from screen readers: the figure beside it says the same. */
export function Spark({ points: asTold, width = 160, height = 34 }: { points: Course[]; width?: number; height?: number }) {
  const points = pooled(asTold);
  const all = points.flatMap(({ value, expected }) => [value, expected]).filter((v): v is number => v != null);
  if (all.length === 0) return <div style={{ height }} />;
  const [top, bottom] = [Math.max(...all) * 1.15, Math.min(...all, 0)];
  const x = (i: number) => (i * width) / Math.max(1, points.length - 1);
  const y = (v: number) => 2 + (height - 4) * (1 - Math.min(1, (v - bottom) / (top - bottom || 1)));
  const line = (of: "value" | "expected") => {
    let pen = false;
    return points.reduce((path, point, i) => {
      const value = point[of];
      const next = value == null ? path : `${path}${pen ? "L" : "M"}${x(i).toFixed(1)} ${y(value).toFixed(1)}`;
      pen = value != null;
      return next;
    }, "");
  };
  const banded = points.map((point, i) => ({ ...point, i })).filter(({ low, high }) => low != null && high != null);
  const edge = (list: typeof banded, side: "low" | "high") => list.map((point) => `${x(point.i).toFixed(1)},${y(point[side] ?? 0).toFixed(1)}`);
  return (
    <svg width="100%" height={height} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden style={{ display: "block" }}>
      {banded.length > 1 ? (
        <polygon points={[...edge(banded, "high"), ...edge(banded.toReversed(), "low")].join(" ")} fill="var(--rt-open-soft)" stroke="var(--rt-band)" vectorEffect="non-scaling-stroke" />
      ) : (
        <path d={line("expected")} fill="none" stroke="var(--rt-band)" strokeWidth={3} vectorEffect="non-scaling-stroke" />
      )}
      <path d={line("value")} fill="none" stroke="var(--rt-link)" strokeWidth={1.4} vectorEffect="non-scaling-stroke" strokeLinejoin="round" />
      <path d={lone(points).map((i) => `M${x(i).toFixed(1)} ${y(points[i]?.value ?? 0).toFixed(1)}h0`).join("")} fill="none" stroke="var(--rt-link)" strokeWidth={4} strokeLinecap="round" vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
