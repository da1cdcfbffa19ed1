import { Text } from "@mantine/core";
import { counted, plain } from "../../parts/format";
import classes from "./histogram.module.css";
import type { Metric } from "./results";
import { measure } from "./units";

const [Wide, High] = [320, 64];

/** Histogram draws the distribution of a metric over all calls that count, with its median and 95th percentile. */
export function Histogram({ metric, title }: { metric: Metric; title: string }) {
  const bins = metric.histogram;
  const most = Math.max(1, ...bins.map((bin) => bin.count));
  const from = bins[0]?.from ?? 0;
  const until = bins.at(-1)?.until ?? 1;
  const span = until - from;
  const x = (value: number) => (span > 0 ? (Wide * (value - from)) / span : Wide / 2);
  const [p50, p95] = [metric.p50.value, metric.p95.value];
  const ends = [...new Set([from, until].map((end) => measure(end, metric.unit)))];
  const rests = `${counted(metric.values, "value")} of ${counted(metric.calls, "call")}`;
  const said = `${rests}; median ${measure(p50, metric.unit)}, 95 % below ${measure(p95, metric.unit)}`;
  return (
    <figure className={classes.figure}>
      <figcaption className={classes.caption}>
        <span className={classes.title}>{title}</span>
        <span>
          median <strong>{measure(p50, metric.unit)}</strong>
        </span>
        <span>
          p95 <strong>{measure(p95, metric.unit)}</strong>
        </span>
      </figcaption>
      <svg viewBox={`0 0 ${Wide} ${High}`} preserveAspectRatio="none" width="100%" height={High} role="img" aria-label={`${plain(title)}: ${said}`}>
        {bins.map((bin) => (
          <rect
            key={bin.from} x={x(bin.from) + 0.5} width={Math.max(span > 0 ? 1 : 8, x(bin.until) - x(bin.from) - 1)} y={High - (bin.count && Math.max(2, (High * bin.count) / most))}
            height={bin.count && Math.max(2, (High * bin.count) / most)} fill="var(--rt-agent)" opacity={0.75}
          >
            <title>{`${measure(bin.from, metric.unit)} to ${measure(bin.until, metric.unit)}: ${bin.count}`}</title>
          </rect>
        ))}
        {p50 != null && <line x1={x(p50)} x2={x(p50)} y1={0} y2={High} className={classes.mark} />}
        {p95 != null && <line x1={x(p95)} x2={x(p95)} y1={0} y2={High} className={classes.mark} strokeDasharray="3 3" />}
      </svg>
      <div className={classes.axis} data-one={ends.length === 1 || undefined} aria-hidden>
        {ends.map((end) => (
          <span key={end}>{end}</span>
        ))}
      </div>
      <Text size="xs" c="dimmed">
        {rests}; solid line: median, dashed: 95th percentile
      </Text>
    </figure>
  );
}
