import { zoneOf } from "../../parts/format";

const day = 86_400; // seconds

const writer = (options: Intl.DateTimeFormatOptions) => {
  const made = new Intl.DateTimeFormat(undefined, options);
  return (seconds: number) => made.format(seconds * 1000);
};

/**
 * timesText labels the marks of a time axis, given in seconds since 1970 and so many seconds apart. It writes them in the reader's zone and language: to some, 11/3
 * is a day in March. A second line names the day below the first mark and wherever it changes (for marks of days, the year), and the zone of an hour that clocks
 * show twice.
 */
export function timesText(marks: number[], apart: number): string[] {
  const [above, below] = apart >= 28 * day
    ? [writer({ month: "short" }), writer({ year: "numeric" })]
    : apart >= day
      ? [writer({ month: "short", day: "numeric" }), writer({ year: "numeric" })]
      : [writer({ timeStyle: "short" }), writer({ month: "short", day: "numeric" })];
  let last = "";
  return marks.map((mark) => {
    const whose = below(mark);
    const lines = [above(mark), whose !== last && whose, apart < day && zoneOf(mark * 1000, (ms) => above(ms / 1000))];
    last = whose;
    return lines.filter(Boolean).join("\n");
  });
}
