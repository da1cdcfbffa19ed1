import { Tooltip } from "@mantine/core";
import { useEffect, useState } from "react";
import { ago, moment, Unknown } from "./format";

/** Time shows when something was; the exact time in the reader's zone and in UTC are in the tooltip. */
export function Time({ at, exact }: { at: number | null | undefined; exact?: boolean }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (exact) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, [exact]);
  if (at == null) return <>{Unknown}</>;
  const utc = new Date(at).toISOString();
  return (
    <Tooltip label={`${moment(at)} · ${utc}`}>
      <time dateTime={utc} style={{ whiteSpace: "nowrap" }}>
        {exact ? moment(at) : ago(at, now)}
      </time>
    </Tooltip>
  );
}
