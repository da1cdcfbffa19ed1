import { TextInput } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { queries } from "../../api/client";
import { moreOf } from "../../api/pages";
import { Empty } from "../../parts/empty";
import { ProblemBox } from "../../parts/problem";
import { DataTable } from "../../parts/table";
import { Time } from "../../parts/time";

/** Page is who did what to which thing, and when. */
export function Page() {
  const { who = "" } = getRouteApi("/layout/settings/audit").useSearch() as { who?: string };
  const navigate = useNavigate();
  const pages = queries.useInfiniteQuery(
    "get",
    "/audit-log",
    { params: { query: { limit: 100 } } },
    { initialPageParam: null as string | null, pageParamName: "cursor", getNextPageParam: (page) => page.next_cursor ?? undefined },
  );
  const wanted = who.toLowerCase();
  const rows = pages.data?.pages
    .flatMap((page) => page.data ?? [])
    .filter((entry) => [entry.actor.name, entry.action, entry.thing.kind, entry.thing.name, entry.thing.id].some((word) => word?.toLowerCase().includes(wanted)));
  return (
    <>
      <TextInput
        type="search"
        aria-label="Search the entries shown"
        placeholder="Person, action or thing"
        value={who}
        onChange={(event) => void navigate({ to: ".", search: { who: event.currentTarget.value || undefined }, replace: true } as never)}
        w={280}
        maw="100%"
        mb="sm"
      />
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
          { key: "who", header: "Who", min: 110, cell: (entry) => <span className="rt-words">{`${entry.actor.name ?? entry.actor.kind}${entry.actor.kind === "key" ? " (key)" : ""}`}</span> },
          { key: "action", header: "Action", cell: (entry) => entry.action.replaceAll("-", " ") },
          { key: "thing", header: "Changed", min: 160, cell: (entry) => <span className="rt-words">{`${entry.thing.kind} ${entry.thing.name ?? entry.thing.id ?? ""}`}</span> },
          { key: "from", header: "From", cell: (entry) => <span className="rt-mono">{entry.address ?? "–"}</span> },
        ]}
      />
    </>
  );
}
