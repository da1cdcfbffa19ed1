import { Button, Group, Text } from "@mantine/core";
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { type MouseEvent, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { api, type Schemas } from "../../api/client";
import { useAgents } from "../../api/names";
import { moreOf } from "../../api/pages";
import { count } from "../../parts/format";
import { Empty } from "../../parts/empty";
import { Page } from "../../parts/page";
import { ProblemBox } from "../../parts/problem";
import { DataTable } from "../../parts/table";
import { useMay } from "../../shell/session";
import { columnsOf } from "./columns";
import { Export } from "./export";
import { chipsOf, type Filter, questionOf } from "./filter";
import { FilterBar, toSearch } from "./filterbar";
import classes from "./list.module.css";
import { leaveTrail } from "./trail";
import { type Call, moving } from "./types";
import { Views } from "../../shell/views";

const PageSize = 100;
const LaterPages = 500; // whoever scrolls on wants many
const Most = 100; // calls that scenarios can be made of at once

/** useCalls reads the list page by page, and tells whether newer calls have come since. "Last 24 hours" ends anew each time it is read. */
export function useCalls(filter: Filter) {
  const list = useInfiniteQuery({
    queryKey: ["get", "/calls", filter],
    initialPageParam: "",
    queryFn: async ({ pageParam, signal }) => {
      const { data, error } = await api.GET("/calls", { params: { query: { ...questionOf(filter, Date.now()), limit: pageParam ? LaterPages : PageSize, cursor: pageParam || undefined } }, signal });
      if (error !== undefined) throw error;
      return data;
    },
    getNextPageParam: (page) => page.next_cursor || undefined,
    // A list of several pages is not refetched page by page, and whoever comes back to it finds it as it was.
    refetchOnMount: isShort, refetchOnWindowFocus: isShort, refetchOnReconnect: isShort,
    structuralSharing: false,
    refetchInterval: ({ state }) => (isShort({ state }) && state.data?.pages[0]?.data?.some(moving) ? 5_000 : false),
  });
  const calls = useMemo(() => list.data?.pages.flatMap((page) => page.data), [list.data]);
  const long = !isShort({ state: list });
  const newest = useQuery({
    queryKey: ["newest call", filter],
    queryFn: async ({ signal }) => (await api.GET("/calls", { params: { query: { ...questionOf(filter, Date.now()), limit: 1 } }, signal })).data?.data[0]?.id ?? null,
    enabled: calls !== undefined && (long || !calls.some(moving)), // a list with a running call is refetched anyway
    refetchInterval: 30_000,
  });
  // A short list may have been refetched since the newest call was asked for: a call that is not in it any more is no news.
  const later = long || newest.dataUpdatedAt >= list.dataUpdatedAt;
  return { list, calls, newer: later && newest.data != null && calls !== undefined && calls.every(({ id }) => id !== newest.data) };
}

function isShort({ state }: { state: { data?: { pages: unknown[] } | undefined } }): boolean {
  return (state.data?.pages.length ?? 0) <= 1;
}

/** Calls is the list of all calls, simulated and production. */
export function Calls() {
  const filter = getRouteApi("/layout/calls").useSearch() as Filter;
  const navigate = useNavigate();
  const agents = useAgents().data?.data ?? None;
  const go = (search: Filter) => void navigate({ to: "/calls", search, replace: true });
  const names = useMemo(() => new Map(agents.map((agent) => [agent.id, agent.name])), [agents]);
  const name = useCallback((id: string) => names.get(id) ?? id, [names]);
  const narrowed = chipsOf(filter, name).length > 0;
  return (
    <Page
      title="All calls" about={filter.failing && Failing}
      actions={
        <>
          <Export filter={filter} name={name} />
          <Views page="calls" narrowed={narrowed} />
        </>
      }
    >
      <FilterBar filter={filter} name={name} change={(part) => go({ ...filter, ...part })} clear={() => go({})} />
      <Listed filter={filter} name={name} empty={<Nothing narrowed={narrowed} clear={() => go({})} />} />
    </Page>
  );
}

const None: Schemas["Agent"][] = [];

const Failing = "A call is failing if a required check failed, if it ended because of a fault of the agent, the line or the platform, or if the platform reported it as unsuccessful, whatever the checks say.";

/** Listed is the table. It is apart from the rest of the page, which need not be rendered with each page of calls that arrives. */
function Listed({ filter, name, empty }: { filter: Filter; name: (id: string) => string; empty: ReactNode }) {
  const navigate = useNavigate();
  const { list, calls, newer } = useCalls(filter);
  const may = useMay("member");
  const choice = useChoice(calls);
  const failing = filter.failing !== undefined || filter.verdict === "failed";
  const columns = useMemo(() => columnsOf(name, may ? choice : null, failing), [name, may, choice, failing]);
  useEffect(() => {
    if (calls) leaveTrail(calls.map((call) => call.id));
  }, [calls]);
  return (
    <>
      {list.error != null && <ProblemBox error={list.error} />}
      {!(list.error != null && !calls) && (
        <DataTable
          label="Calls"
          columns={columns}
          rows={calls}
          rowKey={(call) => call.id}
          open={(call) => void navigate({ to: "/calls/$id", params: { id: call.id } })}
          empty={empty}
          more={moreOf(list)}
        />
      )}
      {newer && <Newer />}
      {choice.chosen.size > 0 && <Chosen ids={[...choice.chosen]} clear={choice.none} />}
    </>
  );
}

/** Newer offers calls that came after the list was read. They are not put into it by themselves, so that it does not move while somebody reads it. */
function Newer() {
  const client = useQueryClient();
  const show = (event: MouseEvent) => {
    toSearch(event);
    window.scrollTo({ top: 0 });
    void client.resetQueries({ queryKey: ["get", "/calls"] });
  };
  return (
    <Group className={`rt-panel ${classes.chosen}`} role="status" gap="sm">
      <Text size="sm">There are newer calls.</Text>
      <Button size="xs" variant="subtle" onClick={show}>
        Show them
      </Button>
    </Group>
  );
}

/** useChoice are the calls that are ticked. They stay ticked when the filter changes, also when all that are shown then are ticked or unticked at once. */
export function useChoice(calls: Call[] | undefined) {
  const [chosen, set] = useState<ReadonlySet<string>>(new Set());
  const shown = useRef(calls);
  useEffect(() => {
    shown.current = calls;
  });
  const every = chosen.size > 0 && calls !== undefined && calls.length > 0 && calls.every(({ id }) => chosen.has(id));
  return useMemo(
    () => ({
      chosen, every, some: chosen.size > 0,
      none: () => set(new Set()),
      all: () =>
        set((before) => {
          const listed = new Set(shown.current?.map(({ id }) => id));
          return every ? new Set([...before].filter((id) => !listed.has(id))) : new Set([...before, ...listed]);
        }),
      toggle: (id: string) =>
        set((before) => {
          const next = new Set(before);
          if (!next.delete(id)) next.add(id);
          return next;
        }),
    }),
    [chosen, every],
  );
}

function Chosen({ ids, clear }: { ids: string[]; clear: () => void }) {
  const few = ids.length <= Most;
  const none = ({ detail, currentTarget }: MouseEvent) => {
    // This button will be gone. The table is where one goes on by key, from where it is scrolled to.
    if (detail === 0) currentTarget.closest("main")?.querySelector<HTMLElement>("[role=region][aria-label=Calls]")?.focus({ preventScroll: true });
    clear();
  };
  return (
    <Group className={`rt-panel ${classes.chosen}`} role="status" gap="sm">
      <Text size="sm" fw={500}>
        {count(ids.length)} {ids.length === 1 ? "call" : "calls"} chosen
      </Text>
      {few ? (
        <Button size="xs" renderRoot={(props) => <Link {...props} to="/datasets" search={{ from_calls: ids.join(",") }} />}>
          Make scenarios from {ids.length === 1 ? "it" : "them"}
        </Button>
      ) : (
        <Text size="sm" c="dimmed">
          You can make scenarios from at most {Most} calls at once
        </Text>
      )}
      <Button size="xs" variant="subtle" color="gray" onClick={none}>
        Clear selection
      </Button>
    </Group>
  );
}

function Nothing({ narrowed, clear }: { narrowed: boolean; clear: () => void }) {
  if (narrowed) {
    const all = (event: MouseEvent) => {
      toSearch(event);
      clear();
    };
    return (
      <Empty title="No call matches" action={<Button variant="default" onClick={all}>Show all calls</Button>}>
        Change the filters, or show all calls of this workspace.
      </Empty>
    );
  }
  return (
    <Empty title="There are no calls yet" action={<Link to="/experiments">Start a test run</Link>}>
      Simulated calls appear here as soon as an experiment starts, and production calls once your platform sends their call logs to <span className="rt-mono">POST /api/rest/v2/call-logs</span>.
    </Empty>
  );
}
