import { Button, Group, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate, useRouterState } from "@tanstack/react-router";
import { useEffect, useMemo, useState } from "react";
import { api, queries } from "../../api/client";
import { count } from "../../parts/format";
import { Empty } from "../../parts/empty";
import { Page } from "../../parts/page";
import { ProblemBox } from "../../parts/problem";
import { DataTable } from "../../parts/table";
import { useMay } from "../../shell/session";
import { columnsOf } from "./columns";
import { chipsOf, type Filter, questionOf } from "./filter";
import { FilterBar } from "./filterbar";
import classes from "./list.module.css";
import { leaveTrail } from "./trail";
import { moving } from "./types";
import { Views } from "../../shell/views";

const PageSize = 100;
const Most = 100; // calls that scenarios can be made of at once

/** useCalls is the list, page by page. */
function useCalls(filter: Filter) {
  const question = useMemo(() => questionOf(filter, Math.floor(Date.now() / 60_000) * 60_000), [filter]);
  return useInfiniteQuery({
    queryKey: ["get", "/calls", question],
    initialPageParam: "",
    queryFn: async ({ pageParam, signal }) => {
      const { data, error } = await api.GET("/calls", { params: { query: { ...question, limit: PageSize, cursor: pageParam || undefined } }, signal });
      if (error !== undefined) throw error;
      return data;
    },
    getNextPageParam: (page) => page.next_cursor || undefined,
    refetchInterval: ({ state }) => (state.data?.pages.length === 1 && state.data.pages[0]?.data?.some(moving) ? 5_000 : false),
  });
}

/** Calls is the list of all calls, simulated and production. */
export function Calls() {
  const filter = getRouteApi("/layout/calls").useSearch() as Filter;
  const navigate = useNavigate();
  const href = useRouterState({ select: (state) => state.location.href });
  const agents = queries.useQuery("get", "/agents", { params: { query: { limit: 200 } } }, { staleTime: 60_000 }).data?.data ?? [];
  const list = useCalls(filter);
  const calls = useMemo(() => list.data?.pages.flatMap((page) => page.data ?? []), [list.data]);
  const may = useMay("member");
  const choice = useChoice(calls?.map((call) => call.id) ?? []);
  useEffect(() => {
    if (calls) leaveTrail({ ids: calls.map((call) => call.id), href });
  }, [calls, href]);
  const go = (search: Filter) => void navigate({ to: "/calls", search, replace: true } as never);
  const name = (id: string) => agents.find((agent) => agent.id === id)?.name ?? id;
  const narrowed = chipsOf(filter, name).length > 0;
  return (
    <Page title="All calls" actions={<Views page="calls" narrowed={narrowed} />}>
      <FilterBar filter={filter} agents={agents} change={(part) => go({ ...filter, ...part })} clear={() => go({})} />
      {list.error != null && <ProblemBox error={list.error} />}
      {!(list.error != null && !calls) && (
        <DataTable
          label="Calls"
          columns={columnsOf(name, may ? choice : null)}
          rows={calls}
          rowKey={(call) => call.id}
          open={(call) => void navigate({ to: "/calls/$id", params: { id: call.id } } as never)}
          empty={<Nothing narrowed={narrowed} clear={() => go({})} />}
          more={{ has: list.hasNextPage, loading: list.isFetchingNextPage, load: () => void list.fetchNextPage() }}
        />
      )}
      {choice.chosen.size > 0 && <Chosen ids={[...choice.chosen]} clear={choice.none} />}
    </Page>
  );
}

function useChoice(shown: string[]) {
  const [chosen, set] = useState<ReadonlySet<string>>(new Set());
  const every = shown.length > 0 && shown.every((id) => chosen.has(id));
  return {
    chosen, every, some: chosen.size > 0,
    none: () => set(new Set()),
    all: () => set(every ? new Set() : new Set(shown)),
    toggle: (id: string) => {
      const next = new Set(chosen);
      if (!next.delete(id)) next.add(id);
      set(next);
    },
  };
}

function Chosen({ ids, clear }: { ids: string[]; clear: () => void }) {
  const few = ids.length <= Most;
  return (
    <Group className={`rt-panel ${classes.chosen}`} role="status" gap="sm">
      <Text size="sm" fw={500}>
        {count(ids.length)} {ids.length === 1 ? "call" : "calls"} chosen
      </Text>
      {few ? (
        <Button size="xs" renderRoot={(props) => <Link {...props} to="/datasets" search={{ from_calls: ids.join(",") } as never} />}>
          Make scenarios of {ids.length === 1 ? "it" : "them"}
        </Button>
      ) : (
        <Text size="sm" c="dimmed">
          Scenarios can be made of {Most} calls at once
        </Text>
      )}
      <Button size="xs" variant="subtle" color="gray" onClick={clear}>
        Choose none
      </Button>
    </Group>
  );
}

function Nothing({ narrowed, clear }: { narrowed: boolean; clear: () => void }) {
  if (narrowed) {
    return (
      <Empty title="No call is like that" action={<Button variant="default" onClick={clear}>Show all calls</Button>}>
        None of the workspace's calls fits these filters.
      </Empty>
    );
  }
  return (
    <Empty title="There are no calls yet" action={<Link to="/experiments">Run a test</Link>}>
      Simulated calls appear here as soon as an experiment begins; production calls when your platform sends their logs to <span className="rt-mono">POST /api/rest/v2/call-logs</span>.
    </Empty>
  );
}
