import { Tooltip } from "@mantine/core";
import { useEffect, useState } from "react";
import { ago, brief, moment, Unknown, zoneName } from "./format";

/** Time shows when something was, as so long ago, to the minute ("brief") or exactly; the exact time in the reader's zone and in UTC are in the tooltip. */
export function Time({ at, exact }: { at: number | null | undefined; exact?: boolean | "brief" }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (exact) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, [exact]);
  if (at == null) return <>{Unknown}</>;
  const utc = new Date(at).toISOString();
  return (
    <Tooltip label={`${moment(at)} ${zoneName()} · ${utc}`}>
      <time dateTime={utc} style={{ whiteSpace: "nowrap" }}>
        {exact === "brief" ? brief(at, now) : exact ? moment(at) : ago(at, now)}
      </time>
    </Tooltip>
  );
}
