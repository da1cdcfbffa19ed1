import { zoneOf } from "../../parts/format";

const day = 86_400; // seconds

const writer = (options: Intl.DateTimeFormatOptions) => {
  const made = new Intl.DateTimeFormat(undefined, options);
  return (seconds: number) => made.format(seconds * 1000);
};

/**
 * timesText writes the marks of an axis of time, in seconds since 1970 and so many seconds apart, as times are written everywhere: by the reader's zone and
 * language, for 11/3 is a day of March to some. Below the first mark, and below each of another day than the one before it, stands which one; of days, the year.
 * Below an hour that clocks show twice stands which of the two it is.
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
