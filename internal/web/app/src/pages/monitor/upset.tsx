import { Group, Text } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import { queries } from "../../api/client";
import { moreOf } from "../../api/pages";
import { Empty } from "../../parts/empty";
import { count, counted, plain } from "../../parts/format";
import { callsIn } from "../../parts/departures";
import { Go, useGo } from "../../parts/go";
import { Name } from "../../parts/name";
import { Page } from "../../parts/page";
import { DataTable } from "../../parts/table";
import { Time } from "../../parts/time";
import { Views } from "../../shell/views";
import { isNarrowed, useAgentNames, useStillWindow } from "./scope";
import { ScopeBar } from "./scopebar";
import { ScopeProblem } from "./scopeproblem";
import { shareOf } from "./share";
import { noCalls } from "./uncounted";

/** Upset lists upset callers, with the sentence that shows it best. */
export function Upset() {
  const scope = getRouteApi("/layout/monitor/upset").useSearch();
  const asked = useStillWindow(scope);
  const nameOf = useAgentNames();
  const go = useGo();
  const pages = queries.useInfiniteQuery(
    "get",
    "/monitoring/upset",
    { params: { query: { ...asked, limit: 50 } } },
    { initialPageParam: null as string | null, pageParamName: "cursor", getNextPageParam: (page) => page.next_cursor ?? undefined },
  );
  const first = pages.data?.pages[0];
  const mood = first?.mood;
  // The service counts whole hours: the link uses what it counted, so that it leads to exactly these calls.
  const calls = callsIn({ ...asked, from: first?.from ?? asked.from, until: first?.until ?? asked.until });
  const many = `${count(mood?.upset.count)} of ${counted(mood?.n ?? 0, "caller")}`;
  const rows = pages.data?.pages.flatMap((page) => page.data);
  return (
    <Page title="Upset callers" actions={<Views page="monitor/upset" narrowed={isNarrowed(scope)} />} about="Recognised by words, voice and behaviour, each with the sentence that shows it best.">
      <ScopeBar scope={scope} />
      {pages.error != null && <ScopeProblem error={pages.error} scope={scope} />}
      {mood && mood.n > 0 && (
        <Text size="sm">
          <Go to="/calls" search={{ ...calls, upset: "true" }} inText>{many}</Go> were upset{shareOf(mood.upset)}. Sentiment: {count(mood.negative)} negative, {count(mood.neutral)} neutral, {count(mood.positive)}{" "}
          positive.
        </Text>
      )}
      <DataTable
        label="Upset callers"
        rows={rows}
        failed={pages.error != null}
        rowKey={(call) => call.call_id}
        open={(call) => void go({ to: "/calls/$id", params: { id: call.call_id }, search: { turn: call.turn } })}
        more={moreOf(pages)}
        empty={<Empty title="Nobody was upset">{mood && mood.n > 0 ? `Out of ${counted(mood.n, "caller")} in this time.` : noCalls(first)}</Empty>}
        columns={[
          {
            key: "at",
            header: "When",
            cell: (call) => (
              <Link to="/calls/$id" params={{ id: call.call_id }} search={{ turn: call.turn }}>
                <Time at={call.at} />
              </Link>
            ),
          },
          { key: "quote", header: "The caller said", width: "50%", min: 230, cell: (call) => (call.quote ? <span className="rt-words">“{call.quote}”</span> : <Text size="sm" c="dimmed">not kept</Text>) },
          { key: "frustration", header: "Frustration", cell: (call) => <Level value={call.frustration} /> },
          { key: "agent", header: "Agent", min: 110, cell: (call) => <Name>{nameOf(call.agent_id ?? "-")}</Name> },
          { key: "end", header: "Ended", cell: (call) => plain(call.end_reason) },
        ]}
      />
    </Page>
  );
}

function Level({ value }: { value: number }) {
  return (
    <Group gap={6} wrap="nowrap">
      <div style={{ width: 56, height: 6, borderRadius: 3, background: "var(--rt-open-soft)" }} aria-hidden>
        <div style={{ width: `${Math.min(1, value) * 100}%`, height: 6, borderRadius: 3, background: "var(--rt-failed)", forcedColorAdjust: "none" }} />
      </div>
      {value.toFixed(2)}
    </Group>
  );
}
