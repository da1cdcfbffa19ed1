import { Button, Group, SimpleGrid, Skeleton, Stack, Text, Title } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { queries, request, type Schemas } from "../../api/client";
import { fieldsOf, problemOf } from "../../api/problem";
import { refresh } from "../../api/refresh";
import { plain } from "../../parts/format";
import { Go, useChange } from "../../parts/go";
import { Labels } from "../../parts/labels";
import { Needs } from "../../parts/needs";
import { Page } from "../../parts/page";
import { ProblemBox } from "../../parts/problem";
import { type Column, DataTable } from "../../parts/table";
import { Time } from "../../parts/time";
import { useMay } from "../../shell/session";
import { keep } from "./create";
import { ScorerForm } from "./form";
import { draftOf, inWords } from "./params";
import { type ScorerSearch, scorerRoute } from "./routes";
import { Trial } from "./trial";

type Scorer = Schemas["Scorer"];

/** ScorerPage shows a scorer: what a version of it checks, its other versions, and what it says of calls that there are. */
export function ScorerPage() {
  const { slug } = scorerRoute.useParams();
  const { at, edit } = scorerRoute.useSearch();
  const change = useChange<ScorerSearch>();
  const may = useMay("member");
  const scorer = queries.useQuery("get", "/scorers/{slug}", { params: { path: { slug }, query: at ? { at } : {} } });
  const versions = queries.useQuery("get", "/scorers/{slug}/versions", { params: { path: { slug } } });
  const up = { to: "/scorers", label: "Scorers" } as const;
  if (!scorer.data) {
    return (
      <Page title={slug} up={up}>
        {scorer.error ? <ProblemBox error={scorer.error} /> : <Skeleton height={320} aria-label="Loading" />}
      </Page>
    );
  }
  const shown = scorer.data;
  const all = versions.data?.data ?? undefined;
  const newest = all?.[0]?.version ?? shown.version;
  return (
    <Page
      title={shown.name} up={up} about={<>{shown.slug} · {plain(shown.kind)} · version {shown.version}{shown.version !== newest && `, the newest is ${newest}`}</>}
      actions={
        may && !edit && (
          <Button leftSection={<IconPencil size={16} />} onClick={() => change({ edit: "yes" })}>
            New version
          </Button>
        )
      }
    >
      {edit && !may && <Needs role="member" what="Writing a version" />}
      <Version key={`${shown.version} ${edit}`} scorer={shown} may={may} editing={may && edit !== undefined} />
      <Stack gap="xs">
        <Title order={2}>Versions</Title>
        {versions.error ? <ProblemBox error={versions.error} /> : <DataTable label="Versions" rows={all} rowKey={(v) => String(v.version)} columns={columns(slug, all ?? [], shown.version, may)} />}
      </Stack>
    </Page>
  );
}

function Version({ scorer, may, editing }: { scorer: Scorer; may: boolean; editing: boolean }) {
  const change = useChange<ScorerSearch>();
  const { call } = scorerRoute.useSearch();
  const [draft, setDraft] = useState(() => draftOf(scorer));
  const saving = useMutation({
    mutationFn: () => keep(scorer.slug, draft, []),
    onSuccess: () => change({ at: undefined, edit: undefined }),
  });
  const [tried, setTried] = useState<Record<string, string>>({});
  const fields = saving.error ? fieldsOf(problemOf(saving.error)) : tried;
  return (
    <SimpleGrid cols={{ base: 1, md: may ? 2 : 1 }} style={{ alignItems: "start" }}>
      <Stack className="rt-panel" p="sm" miw={0} component="section" aria-label={editing ? "Next version" : `Version ${scorer.version}`}>
        <Title order={2}>{editing ? "Next version" : `Version ${scorer.version}`}</Title>
        <ScorerForm
          draft={draft} fields={fields} readOnly={!editing} slug={scorer.slug} change={(next) => {
            saving.reset();
            setTried({});
            setDraft(next);
          }}
        />
        {saving.error && Object.keys(fields).length === 0 && <ProblemBox error={saving.error} />}
        {editing && (
          <Group>
            <Button loading={saving.isPending} onClick={() => saving.mutate()}>
              Save as the next version
            </Button>
            <Button variant="default" onClick={() => change({ edit: undefined })}>
              Cancel
            </Button>
          </Group>
        )}
      </Stack>
      {may && <Trial draft={draft} first={call} refused={setTried} />}
    </SimpleGrid>
  );
}

function columns(slug: string, all: Scorer[], shown: number, may: boolean): Column<Scorer>[] {
  const known = all.flatMap((v) => v.labels ?? []);
  const move = (version: number) => async (label: string) => {
    await request("PUT", `/scorers/${encodeURIComponent(slug)}/labels/${encodeURIComponent(label)}`, { version });
    await refresh("/scorers");
  };
  return [
    {
      key: "version", header: "Version", cell: (v) => (
        <>
          <Go to="/scorers/$slug" params={{ slug }} search={{ at: String(v.version) }}>
            Version {v.version}
          </Go>
          {v.version === shown && <Text span size="xs" c="dimmed">{" "}above</Text>}
        </>
      ),
    },
    { key: "kind", header: "Kind", cell: (v) => plain(v.kind) },
    { key: "params", header: "Checks", width: "40%", cell: (v) => <span className="rt-words">{inWords(v.params)}</span> },
    { key: "decides", header: "Verdict", cell: (v) => (v.optional ? "informs" : "decides") },
    { key: "labels", header: "Labels", cell: (v) => <Labels labels={v.labels} known={known} version={v.version} {...(may && { move: move(v.version) })} /> },
    { key: "at", header: "Made", cell: (v) => <Time at={v.created_at} /> },
  ];
}
