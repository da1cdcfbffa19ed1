import { Button, Group, NativeSelect, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { queries, type Schemas } from "../../api/client";
import { useMutation } from "../../api/mutation";
import { fieldsOf } from "../../api/problem";
import { FormProblem } from "../../parts/dialogform";
import { Diff } from "../../parts/diff";
import { count } from "../../parts/format";
import { Go, useChange } from "../../parts/go";
import type { Column } from "../../parts/table";
import { useUnsaved } from "../../parts/unsaved";
import { newestOf, Overtaken, versionColumns, Versions } from "../../parts/versions";
import { useMay } from "../../shell/session";
import { keep } from "./list";
import { type PromptSearch, promptRoute } from "./routes";
import { PromptEditor, PromptText, VariablesNote } from "./text";

type Prompt = Schemas["Prompt"];

/** PromptPage shows a prompt: the text of a version, or its difference from another one, and the list of versions. */
export function PromptPage() {
  const { slug } = promptRoute.useParams();
  const { at, edit } = promptRoute.useSearch();
  const change = useChange<PromptSearch>();
  const may = useMay("member");
  const prompt = queries.useQuery("get", "/prompts/{slug}", { params: { path: { slug }, query: at ? { at } : {} } });
  const versions = queries.useQuery("get", "/prompts/{slug}/versions", { params: { path: { slug } } });
  return (
    <Versions
      slug={slug} up={{ to: "/prompts", label: "Prompts" }} shown={prompt} all={{ data: versions.data?.data ?? undefined, error: versions.error }} title={() => slug}
      about={(shown, newest) => `Version ${shown.version}${newest ? `, the newest is ${newest}` : ""} · ${count(shown.text.length)} characters`}
      refused={edit !== undefined && !may} begin={may && !edit && (() => change({ edit: "yes", with: undefined }))} columns={(all) => columns(slug, all, may)}
    >
      {(shown, all) => (edit && may ? <Editor key={`${slug} ${at}`} prompt={shown} newest={newestOf(all, at ? undefined : shown)} /> : <Shown prompt={shown} all={all} />)}
    </Versions>
  );
}

function Shown({ prompt, all }: { prompt: Prompt; all: Prompt[] }) {
  const search = promptRoute.useSearch();
  const change = useChange<PromptSearch>();
  const other = all.find((v) => String(v.version) === search.with || (search.with !== undefined && v.labels.includes(search.with)));
  const others = all.filter((v) => v.version !== prompt.version);
  return (
    <Stack gap="xs">
      {others.length > 0 && (
        <Group gap="xs">
          <NativeSelect
            size="xs" aria-label="Compare with" value={other ? String(other.version) : ""} onChange={(event) => change({ with: event.currentTarget.value || undefined })}
            data={[{ value: "", label: "Compare with…" }, ...others.map((v) => ({ value: String(v.version), label: `version ${v.version}${v.labels.length ? ` (${v.labels.join(", ")})` : ""}` }))]}
          />
          {other && (
            <Text size="sm" c="dimmed">
              What changed from version {other.version} to version {prompt.version}
            </Text>
          )}
        </Group>
      )}
      {other ? <Diff before={other.text} after={prompt.text} label={`Version ${other.version} and version ${prompt.version}`} /> : <PromptText text={prompt.text} />}
      <VariablesNote text={prompt.text} />
    </Stack>
  );
}

/** Editor writes the next version. What is written stays based on the version that it began from, also when somebody else saves another one meanwhile. */
function Editor({ prompt: shown, newest }: { prompt: Prompt; newest: number | undefined }) {
  const [written, setWritten] = useState<{ text: string; from: Prompt; newest: number | undefined }>();
  const { text, from: prompt } = written ?? { text: shown.text, from: shown };
  const setText = (next: string) => setWritten({ from: prompt, newest: written ? written.newest : newest, text: next });
  const change = useChange<PromptSearch>();
  const saving = useMutation({
    mutationFn: () => keep(prompt.slug, text, []),
    onSuccess: () => setTimeout(() => change({ at: undefined, edit: undefined }, true), 0),
  });
  const dirty = text !== prompt.text && !saving.isSuccess;
  useUnsaved(dirty, "the text");
  const fields = fieldsOf(saving.error);
  return (
    <Stack gap="xs">
      <PromptEditor text={text} change={setText} error={fields["text"]} />
      <VariablesNote text={text} />
      {!saving.isPending && !saving.isSuccess && <Overtaken begun={written?.newest} newest={newest} />}
      <FormProblem error={saving.error} fields={fields} />
      <Group>
        <Button loading={saving.isPending} disabled={!dirty || text.trim() === ""} onClick={() => saving.mutate()}>
          Save as the next version
        </Button>
        <Button variant="default" onClick={() => change({ edit: undefined })}>
          Cancel
        </Button>
      </Group>
      {dirty && (
        <>
          <Text size="sm" fw={600}>
            What you change in version {prompt.version}
          </Text>
          <Diff before={prompt.text} after={text} label="What is changed" />
        </>
      )}
    </Stack>
  );
}

function columns(slug: string, all: Prompt[], may: boolean): Column<Prompt>[] {
  const { version, labels, made } = versionColumns({ room: "/prompts", slug, all, may });
  return [
    version, labels, { key: "length", header: "Characters", numeric: true, cell: (v) => count(v.text.length) }, made,
    {
      key: "diff", header: "Changes", cell: (v) => (v.version > 1 ? (
        <Go to="/prompts/$slug" params={{ slug }} search={{ at: String(v.version), with: String(v.version - 1) }} label={`What it changed, version ${v.version}`}>
          What it changed
        </Go>
      ) : null),
    },
  ];
}
