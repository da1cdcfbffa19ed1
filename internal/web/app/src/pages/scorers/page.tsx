import { Button, Group, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { useState } from "react";
import { queries, type Schemas } from "../../api/client";
import { useMutation } from "../../api/mutation";
import { fieldsOf } from "../../api/problem";
import { FormProblem } from "../../parts/dialogform";
import { plain } from "../../parts/format";
import { useChange } from "../../parts/go";
import type { Column } from "../../parts/table";
import { newestOf, Overtaken, versionColumns, Versions } from "../../parts/versions";
import { useMay } from "../../shell/session";
import { keep } from "./create";
import { ScorerForm } from "./form";
import { type Draft, draftOf, inWords, isUnread } from "./params";
import { type ScorerSearch, scorerRoute } from "./routes";
import { Trial } from "./trial";

type Scorer = Schemas["Scorer"];

/** ScorerPage shows a scorer: what a version checks, a trial of it on existing calls, and the list of versions. */
export function ScorerPage() {
  const { slug } = scorerRoute.useParams();
  const { at, edit } = scorerRoute.useSearch();
  const change = useChange<ScorerSearch>();
  const may = useMay("member");
  const scorer = queries.useQuery("get", "/scorers/{slug}", { params: { path: { slug }, query: at ? { at } : {} } });
  const versions = queries.useQuery("get", "/scorers/{slug}/versions", { params: { path: { slug } } });
  return (
    <Versions
      slug={slug} up={{ to: "/scorers", label: "Scorers" }} shown={scorer} all={{ data: versions.data?.data ?? undefined, error: versions.error }} title={(shown) => shown.name}
      about={(shown, newest) => `${shown.slug} · ${plain(shown.kind)} · version ${shown.version}${newest ? `, the newest is ${newest}` : ""}`}
      refused={edit !== undefined && !may} begin={may && !edit && (() => change({ edit: "yes" }))} columns={(all, shown) => columns(slug, all, shown.version, may)}
    >
      {(shown, all) => (may && edit ? <Version key={`${slug} ${at} ${edit}`} scorer={shown} newest={newestOf(all, at ? undefined : shown)} may editing /> : <Version key={shown.version} scorer={shown} newest={undefined} may={may} editing={false} />)}
    </Versions>
  );
}

interface VersionProps {
  scorer: Scorer;
  /** newest is the number of the newest version, once it is known. */
  newest: number | undefined;
  may: boolean;
  editing: boolean;
}

/** Version shows a version, or edits the next one. What is written stays, also when somebody else saves another version meanwhile. */
function Version({ scorer, newest, may, editing }: VersionProps) {
  const change = useChange<ScorerSearch>();
  const { call } = scorerRoute.useSearch();
  const [written, setWritten] = useState<{ draft: Draft; from: number; newest: number | undefined }>();
  const { draft, from } = written ?? { draft: draftOf(scorer), from: scorer.version };
  const saving = useMutation({
    mutationFn: () => keep(scorer.slug, draft, []),
    onSuccess: () => setTimeout(() => change({ at: undefined, edit: undefined }, true), 0),
  });
  const dirty = written !== undefined && !saving.isSuccess;
  useBlocker({
    shouldBlockFn: ({ current, next }) => dirty && (current.pathname !== next.pathname || editOf(current.search) !== editOf(next.search)) && !window.confirm("Leave without saving the scorer?"),
    enableBeforeUnload: () => dirty,
  });
  const [tried, setTried] = useState<Record<string, string>>({});
  const fields = saving.error ? fieldsOf(saving.error) : tried;
  return (
    <SimpleGrid cols={{ base: 1, md: may ? 2 : 1 }} style={{ alignItems: "start" }}>
      <Stack className="rt-panel" p="sm" miw={0} component="section" aria-label={editing ? "Next version" : `Version ${scorer.version}`}>
        <Title order={2}>{editing ? "Next version" : `Version ${scorer.version}`}</Title>
        <ScorerForm
          key={from} draft={draft} fields={fields} readOnly={!editing} slug={scorer.slug} change={(next) => {
            saving.reset();
            setTried({});
            setWritten({ draft: next, from, newest: written ? written.newest : newest });
          }}
        />
        {editing && !saving.isPending && !saving.isSuccess && <Overtaken begun={written?.newest} newest={newest} />}
        <FormProblem error={saving.error} fields={fields} />
        {editing && (
          <Group>
            <Button loading={saving.isPending} disabled={isUnread(draft)} onClick={() => saving.mutate()}>
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

/** editOf is the part of an address that decides which version is edited: other parameters may change without a question. */
const editOf = (search: object) => JSON.stringify([(search as ScorerSearch).edit, (search as ScorerSearch).at]);

function columns(slug: string, all: Scorer[], shown: number, may: boolean): Column<Scorer>[] {
  const beside = (v: Scorer) => v.version === shown && <Text span size="xs" c="dimmed">{" "}above</Text>;
  const { version, labels, made } = versionColumns({ room: "/scorers", slug, all, may, beside });
  return [
    version,
    { key: "kind", header: "Kind", cell: (v) => plain(v.kind) },
    { key: "params", header: "Checks", width: "40%", cell: (v) => <span className="rt-words">{inWords(v.params)}</span> },
    { key: "decides", header: "Verdict", cell: (v) => (v.optional ? "for information" : "decides") },
    labels, made,
  ];
}
