import { Button, Text } from "@mantine/core";
import { IconPlus, IconRefresh } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { queries, type Schemas } from "../../api/client";
import { byCursor, moreOf, rowsOf } from "../../api/pages";
import { Empty } from "../../parts/empty";
import { Go, useChange, useGo } from "../../parts/go";
import { Needs } from "../../parts/needs";
import { Name } from "../../parts/name";
import { Page } from "../../parts/page";
import { ProblemBox } from "../../parts/problem";
import { holdsWords, Search } from "../../parts/search";
import { type Column, DataTable } from "../../parts/table";
import { Time } from "../../parts/time";
import { useMay } from "../../shell/session";
import { NewAgent, SyncAgents } from "./dialogs";
import { AgentHealth, useHealth } from "./health";
import { type AgentsSearch, agentsRoute } from "./routes";

type Agent = Schemas["Agent"];

/** AgentList shows all voice agents, newest first. */
export function AgentList() {
  const { q, open } = agentsRoute.useSearch();
  const change = useChange<AgentsSearch>();
  const go = useGo();
  const may = useMay("member");
  const health = useHealth();
  const list = queries.useInfiniteQuery("get", "/agents", { params: { query: { limit: 200 } } }, byCursor);
  const rows = rowsOf<Agent>(list.data)?.filter((a) => holdsWords(q, a.name, a.sourceId, a.id, a.defaults.to_number));
  const create = may && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => change({ open: "new" })}>
      New agent
    </Button>
  );
  const sync = may && (
    <Button variant="default" leftSection={<IconRefresh size={16} />} onClick={() => change({ open: "sync" })}>
      Sync from a platform
    </Button>
  );
  const bare = rows?.length === 0 && !q; // then Empty has the buttons
  return (
    <Page
      title="Agents" about="The voice agents that are tested and watched here, each with its test defaults."
      actions={
        !bare && <>
          <Search label="Search agents" value={q} change={(next) => change({ q: next }, true)} />
          {sync}
          {create}
        </>
      }
    >
      {!may && (open === "new" || open === "sync") && <Needs role="member" what="Adding agents" />}
      {(list.error ?? health.error) != null && <ProblemBox error={list.error ?? health.error} />}
      {(rows || !list.error) && (
        <DataTable
          label="Agents" rows={rows} rowKey={(a) => a.id} columns={columns(health.of)} more={moreOf(list)} open={(a) => void go({ to: "/agents/$id", params: { id: a.id } })}
          empty={q ? <Empty title={`No agent matches “${q}”`} /> : <None>{create}{sync}</None>}
        />
      )}
      {may && open === "new" && <NewAgent close={() => change({ open: undefined })} />}
      {may && open === "sync" && <SyncAgents close={() => change({ open: undefined })} />}
    </Page>
  );
}

function None({ children }: { children: ReactNode }) {
  return (
    <Empty title="No agents yet" action={<div style={{ display: "flex", gap: 8, flexWrap: "wrap", justifyContent: "center" }}>{children}</div>}>
      Add the agent that you want to test, with its phone number unless it joins rooms. You can also sync the agents of a voice platform with the platform's key.
    </Empty>
  );
}

function columns(healthOf: ReturnType<typeof useHealth>["of"]): Column<Agent>[] {
  return [
    {
      key: "name", header: "Name", width: "28%", min: 130, cell: (a) => (
        <Go to="/agents/$id" params={{ id: a.id }}>
          <Name>{a.name}</Name>
        </Go>
      ),
    },
    { key: "source", header: "Source id", cell: (a) => <Text component="div" size="xs" className="rt-mono"><Name>{a.sourceId || "–"}</Name></Text> },
    { key: "number", header: "Reached at", min: 110, cell: (a) => a.defaults.to_number || <span style={{ color: "var(--mantine-color-dimmed)" }}>room, or set per run</span> },
    { key: "scorers", header: "Default scorers", cell: (a) => <Scorers refs={a.defaults.scorers ?? []} /> },
    { key: "health", header: "In production", cell: (a) => <AgentHealth id={a.id} health={healthOf(a.id)} /> },
    { key: "changed", header: "Changed", cell: (a) => <Time at={a.updated_at} /> },
  ];
}

/** Scorers are links to scorers, shown as they are referred to: slug, slug@label or slug@3. */
export function Scorers({ refs }: { refs: string[] }) {
  if (refs.length === 0) return <>–</>;
  return (
    <>
      {refs.map((ref, n) => (
        <span key={ref}>
          {n > 0 && ", "}
          <Go to="/scorers/$slug" params={{ slug: ref.split("@")[0] ?? ref }} search={ref.includes("@") ? { at: ref.split("@")[1] } : {}}>
            {ref}
          </Go>
        </span>
      ))}
    </>
  );
}
