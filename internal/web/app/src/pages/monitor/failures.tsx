import { Group, Stack, Text } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import { queries, type Schemas } from "../../api/client";
import { Empty } from "../../parts/empty";
import { checkName, count, counted, percent, plain, unmasked } from "../../parts/format";
import { Go, type SearchOf } from "../../parts/go";
import { Page } from "../../parts/page";
import { callsIn } from "../../parts/departures";
import { DataTable } from "../../parts/table";
import { Views } from "../../shell/views";
import { asBefore, isNarrowed, useWindow } from "./scope";
import { ScopeBar } from "./scopebar";
import { ScopeProblem } from "./scopeproblem";
import { shareOf, smallerOf } from "./share";
import { noCalls } from "./uncounted";

/** Failures shows failing calls in groups that failed alike, with examples to listen to. */
export function Failures() {
  const scope = getRouteApi("/layout/monitor/failures").useSearch();
  const asked = useWindow(scope);
  const query = { ...asked, limit: 50 };
  const { data, error } = queries.useQuery("get", "/monitoring/failures", { params: { query } }, { refetchInterval: 60_000, placeholderData: asBefore(query) });
  const total = data?.failed;
  const many = `${count(total?.count)} of ${counted(total?.of ?? 0, "call")}`;
  // The service counts whole hours: the links use what it counted, so that they lead to exactly these calls.
  const calls = callsIn({ ...asked, from: data?.from ?? asked.from, until: data?.until ?? asked.until });
  return (
    <Page title="Failing calls" actions={<Views page="monitor/failures" narrowed={isNarrowed(scope)} />} about="Grouped by how they ended, who caused it, which check failed, and what the agent said last.">
      <ScopeBar scope={scope} />
      {error != null && <ScopeProblem error={error} scope={scope} />}
      {total && total.of > 0 && (
        <Text size="sm">
          <Go to="/calls" search={{ ...calls, failing: "any" }} inText>{many}</Go> failed{shareOf(total)}.
        </Text>
      )}
      <DataTable
        label="Groups of failing calls"
        rows={data?.groups}
        failed={error != null}
        rowKey={(group) => group.key}
        empty={<Empty title="No failing calls">{total && total.of > 0 ? `${counted(total.of, "call")} in this time, and none failed.` : noCalls(data)}</Empty>}
        columns={[
          { key: "why", header: "Why", min: 230, cell: (group) => <Why group={group} /> },
          { key: "blame", header: "Caused by", cell: (group) => plain(group.blame) },
          { key: "calls", header: "Calls", numeric: true, cell: (group) => <Alike group={group} calls={calls} /> },
          { key: "share", header: "Share", numeric: true, cell: (group) => percent(group.calls.rate, 1) },
          { key: "examples", header: "Examples", cell: (group) => <Examples ids={group.examples} /> },
        ]}
      />
      {data && data.other > 0 && (
        <Text size="sm" c="dimmed">
          {smallerOf(data.other)}.
        </Text>
      )}
    </Page>
  );
}

function Why({ group }: { group: Schemas["FailureGroup"] }) {
  const scorer = group.scorer && group.scorer !== "end_reason";
  return (
    <Stack gap={0}>
      <Text size="sm" fw={500}>
        {scorer ? `Check “${checkName(group.scorer ?? "")}” failed` : group.reported_unsuccessful ? "Reported unsuccessful by the platform" : `Ended: ${plain(group.end_reason)}`}
        {scorer && (
          <Text span size="sm" c="dimmed">
            {" "}
            · ended: {plain(group.end_reason)}
          </Text>
        )}
      </Text>
      {group.last_words && (
        <Text size="sm" c="dimmed" className="rt-words">
          after the agent said “{unmasked(group.last_words)}”
        </Text>
      )}
    </Stack>
  );
}

/** Alike is the number of calls of a group, with a link to them. */
function Alike({ group, calls }: { group: Schemas["FailureGroup"]; calls: SearchOf<"/calls"> }) {
  const n = count(group.calls.count);
  if (!group.numbers.length) return <>{n}</>;
  return (
    <Go to="/calls" search={{ ...calls, failing: group.numbers.join(",") }}>
      {n}
    </Go>
  );
}

function Examples({ ids }: { ids: string[] }) {
  return (
    <Group gap={8} wrap="nowrap">
      {ids.map((id, n) => (
        <Link key={id} to="/calls/$id" params={{ id }} aria-label={`Call ${n + 1} of this group`}>
          call {n + 1}
        </Link>
      ))}
    </Group>
  );
}
