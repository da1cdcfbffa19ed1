import { Button, Group, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { queries, type Schemas } from "../../api/client";
import { fieldsOf, problemOf } from "../../api/problem";
import { plain } from "../../parts/format";
import { useChange } from "../../parts/go";
import { ProblemBox } from "../../parts/problem";
import type { Column } from "../../parts/table";
import { versionColumns, Versions } from "../../parts/versions";
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
  return (
    <Versions
      slug={slug} up={{ to: "/scorers", label: "Scorers" }} shown={scorer} all={{ data: versions.data?.data ?? undefined, error: versions.error }} title={(shown) => shown.name}
      about={(shown, newest) => `${shown.slug} · ${plain(shown.kind)} · version ${shown.version}${newest ? `, the newest is ${newest}` : ""}`}
      refused={edit !== undefined && !may} begin={may && !edit && (() => change({ edit: "yes" }))} columns={(all, shown) => columns(slug, all, shown.version, may)}
    >
      {(shown) => <Version key={`${shown.version} ${edit}`} scorer={shown} may={may} editing={may && edit !== undefined} />}
    </Versions>
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
  const beside = (v: Scorer) => v.version === shown && <Text span size="xs" c="dimmed">{" "}above</Text>;
  const { version, labels, made } = versionColumns({ room: "/scorers", slug, all, may, beside });
  return [
    version,
    { key: "kind", header: "Kind", cell: (v) => plain(v.kind) },
    { key: "params", header: "Checks", width: "40%", cell: (v) => <span className="rt-words">{inWords(v.params)}</span> },
    { key: "decides", header: "Verdict", cell: (v) => (v.optional ? "informs" : "decides") },
    labels, made,
  ];
}
