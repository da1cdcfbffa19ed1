import { Tooltip } from "@mantine/core";
import { count, percent, Unknown } from "../../parts/format";
import { type Rate, spanOf } from "./figures";
import classes from "./passrate.module.css";

/** PassRate shows a share with its interval, as figures and as a bar on which the interval is a band and the value a line. */
export function PassRate({ rate, width = 72 }: { rate: Rate; width?: number }) {
  if (rate.value == null) {
    return (
      <Tooltip label="Nothing was evaluated">
        <span>{Unknown}</span>
      </Tooltip>
    );
  }
  return (
    <Tooltip label={`${count(rate.passed)} of ${count(rate.evaluated)} evaluated calls passed; between ${spanOf(rate)} with 95 % confidence`}>
      <span className={classes.rate}>
        <Bar rate={rate} width={width} />
        <strong className={classes.value}>{percent(rate.value)}</strong>
        <span className={classes.span}>{spanOf(rate)}</span>
      </span>
    </Tooltip>
  );
}

/** Bar draws a share as a line on a band that is its interval. The line does not grow with the bar: a share of 0 must not look like a little. */
export function Bar({ rate, width }: { rate: Pick<Rate, "value" | "low" | "high">; width: number | string }) {
  const { value, low, high } = rate;
  if (value == null || low == null || high == null) return null;
  return (
    <svg width={width} height={10} viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden className={classes.bar}>
      <rect x={0} y={4} width={100} height={2} fill="var(--rt-line)" />
      <rect x={100 * low} y={2} width={Math.max(1, 100 * (high - low))} height={6} fill="var(--rt-open)" opacity={0.35} />
      <line x1={100 * value} x2={100 * value} y1={0} y2={10} stroke="var(--rt-link)" strokeWidth={3} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
