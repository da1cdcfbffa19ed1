import { Group } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { queries, type Schemas } from "../../api/client";
import { moreOf } from "../../api/pages";
import { Empty } from "../../parts/empty";
import { useChange } from "../../parts/go";
import { ProblemBox } from "../../parts/problem";
import { holdsWords, Search } from "../../parts/search";
import { DataTable } from "../../parts/table";
import { Time } from "../../parts/time";

type Entry = Schemas["AuditEntry"];

// The words of the columns: what is shown is what one searches for.
const whoOf = ({ actor }: Entry) => `${actor.name ?? actor.kind}${actor.kind === "key" ? " (key)" : ""}`;
const actionOf = ({ action }: Entry) => action.replaceAll("-", " ");
const thingOf = ({ thing }: Entry) => `${thing.kind} ${thing.name ?? thing.id ?? ""}`;

/** Page lists who changed what, and when. It searches only the entries that are loaded. */
export function Page() {
  const { who = "" } = getRouteApi("/layout/settings/audit").useSearch() as { who?: string };
  const change = useChange<{ who?: string }>();
  const pages = queries.useInfiniteQuery(
    "get",
    "/audit-log",
    { params: { query: { limit: 100 } } },
    { initialPageParam: null as string | null, pageParamName: "cursor", getNextPageParam: (page) => page.next_cursor ?? undefined },
  );
  const rows = pages.data?.pages.flatMap((page) => page.data).filter((entry) => holdsWords(who, whoOf(entry), actionOf(entry), entry.action, thingOf(entry), entry.thing.id));
  return (
    <>
      <Group mb="sm">
        <Search label="Search the entries shown" placeholder="Person, action or thing" value={who} change={(next) => change({ who: next }, true)} width={280} />
      </Group>
      {pages.error != null && <ProblemBox error={pages.error} />}
      <DataTable
        label="Audit log"
        rows={rows}
        failed={pages.error != null}
        rowKey={(entry) => entry.id}
        more={moreOf(pages)}
        empty={<Empty title={who ? "No entry matches" : "Nothing yet"}>Changes made by people, with keys and at the command line are listed here.</Empty>}
        columns={[
          { key: "at", header: "When", cell: (entry) => <Time at={entry.at} /> },
          { key: "who", header: "Who", min: 110, cell: (entry) => <span className="rt-words">{whoOf(entry)}</span> },
          { key: "action", header: "Action", cell: actionOf },
          { key: "thing", header: "Changed", min: 160, cell: (entry) => <span className="rt-words">{thingOf(entry)}</span> },
          { key: "from", header: "From", cell: (entry) => <span className="rt-mono">{entry.address ?? "–"}</span> },
        ]}
      />
    </>
  );
}
