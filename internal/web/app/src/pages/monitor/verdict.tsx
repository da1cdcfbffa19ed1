import { Group, Text } from "@mantine/core";
import type { Schemas } from "../../api/client";
import { Departed } from "../../parts/departed";
import { count } from "../../parts/format";
import { Go } from "../../parts/go";
import { Health } from "../../parts/verdict";
import { type Counted, doubtful } from "./now";
import { type Scope, useAgentNames } from "./scope";
import { notApart, waitingFor } from "./uncounted";

/** VerdictNow says how things are, on how many calls, and what departed from the usual. */
export function VerdictNow({ data, scope, counted }: { data: Schemas["Overview"]; scope: Scope; counted: Counted | undefined }) {
  const { departures } = data;
  const doubts = data.verdict === "ok" ? doubtful(data.metrics) : undefined;
  const nameOf = useAgentNames();
  return (
    <section className="rt-panel" aria-label="Current health">
      <Group p="sm" gap="sm">
        <Health verdict={data.verdict} />
        {departures.length === 0 && <Text size="sm">{doubts ?? data.sentences.join(" ")}</Text>}
        <Text size="sm" c="dimmed">
          {counted && (
            <>
              <Calls scope={scope} from={counted.until - 86_400_000} until={counted.until} n={counted.calls} /> in the last 24 complete hours
            </>
          )}
          {counted && counted.since > 0 && (
            <>
              , <Calls scope={scope} from={counted.until} until={undefined} n={counted.since} /> since
            </>
          )}
          {data.now.void > 0 && ` (${count(data.now.void)} void)`}
          {data.in_other && <span role="status"> · {notApart(data)}</span>}
          {data.unreviewed > 0 && <span role="status"> · {waitingFor(data.unreviewed)}</span>}
          {data.pending > 0 && ` · ${hours(data.pending)} being recounted`}
        </Text>
      </Group>
      <Departed departures={departures} nameOf={nameOf} all={{ search: { ...scope, last: "3d" } }} />
    </section>
  );
}

function hours(n: number): string {
  return n === 1 ? "1 hour is" : `${n >= 100 ? "100 or more" : n} hours are`;
}

/** Calls is a number of calls with a link to them. */
function Calls({ scope, from, until, n }: { scope: Scope; from: number; until: number | undefined; n: number }) {
  const { origin = "production", agent, dim, value } = scope;
  return (
    <Go to="/calls" search={{ origin, agent, dim, value, from, until }} inText>
      {count(n)} {n === 1 ? "call" : "calls"}
    </Go>
  );
}
