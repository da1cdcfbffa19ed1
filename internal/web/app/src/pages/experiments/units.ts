import { figure, percent, points, short, Unknown } from "../../parts/format";

/** measure writes a figure in its unit of the interface: seconds, milliseconds, ratio, count, …. */
export function measure(value: number | null | undefined, unit: string | null | undefined): string {
  if (value == null) return Unknown;
  switch (unit) {
    case "s":
      return short(value * 1000);
    case "ms":
      return short(value);
    case "ratio":
      return percent(value, value !== 0 && Math.abs(value) < 0.1 ? 1 : 0);
    case "count":
    case "":
    case null:
    case undefined:
      return figure(value);
    default:
      return figure(value, unit);
  }
}

/** interval writes the 95 % interval of a figure, for a tooltip; undefined where too few values bound it. */
export function interval({ low, high }: { low: number | null; high: number | null }, unit: string): string | undefined {
  if (low == null && high == null) return undefined;
  if (high == null) return `95 %: ${measure(low, unit)} and more`;
  return low == null ? `95 %: up to ${measure(high, unit)}` : `95 %: ${measure(low, unit)} to ${measure(high, unit)}`;
}

/** shift writes a difference with its sign; that of a ratio is in percentage points. */
export function shift(value: number | null | undefined, unit: string | null | undefined): string {
  if (value == null) return Unknown;
  const sign = value > 0 ? "+" : value < 0 ? "−" : "±";
  const size = Math.abs(value);
  return unit === "ratio" ? `${sign}${points(size, size < 0.1 && size > 0 ? 1 : 0)}` : `${sign}${measure(size, unit)}`;
}
