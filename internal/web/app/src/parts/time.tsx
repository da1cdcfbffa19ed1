import type { PointerEvent } from "react";
import { useClock } from "./clock";
import { ago, brief, moment, Unknown, zoneName } from "./format";

/**
 * Time shows when something was: how long ago, to the minute ("brief"), exactly, or exactly with the zone ("zoned"). The exact time in the reader's zone and in UTC
 * is in the browser's own tooltip, which is written only when somebody points there: a table has hundreds of times, and a Mantine tooltip for each would cost more
 * than the rest of a row.
 */
export function Time({ at, exact }: { at: number | null | undefined; exact?: boolean | "brief" | "zoned" }) {
  if (at == null) return <>{Unknown}</>;
  const utc = new Date(at).toISOString();
  const tell = (event: PointerEvent<HTMLElement>) => (event.currentTarget.title = `${moment(at)} ${zoneName()} · ${utc}`);
  return (
    <time dateTime={utc} onPointerEnter={tell} style={Line}>
      {exact === "brief" ? brief(at, Date.now()) : exact ? moment(at) : <Ago at={at} />}
      {exact === "zoned" && ` ${zoneName()}`}
    </time>
  );
}

const Line = { whiteSpace: "nowrap" } as const;

function Ago({ at }: { at: number }) {
  return <>{useClock((now) => ago(at, now))}</>;
}
