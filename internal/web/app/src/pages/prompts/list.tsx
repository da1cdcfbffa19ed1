import { Button, Input, Text, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { queries, request, type Schemas } from "../../api/client";
import { useMutation } from "../../api/mutation";
import { byCursor, moreOf, rowsOf } from "../../api/pages";
import { fieldsOf } from "../../api/problem";
import { refresh } from "../../api/refresh";
import { DialogForm } from "../../parts/dialogform";
import { Empty } from "../../parts/empty";
import { Go, useChange, useGo } from "../../parts/go";
import { Labels, NewLabels } from "../../parts/labels";
import { Needs } from "../../parts/needs";
import { Page } from "../../parts/page";
import { ProblemBox } from "../../parts/problem";
import { holdsWords, Search } from "../../parts/search";
import { type Column, DataTable } from "../../parts/table";
import { Time } from "../../parts/time";
import { useUnsaved } from "../../parts/unsaved";
import { useMay } from "../../shell/session";
import { type PromptsSearch, promptsRoute } from "./routes";
import { PromptEditor, VariablesNote } from "./text";

type Prompt = Schemas["Prompt"];

/** PromptList shows the newest version of every prompt. */
export function PromptList() {
  const search = promptsRoute.useSearch();
  const change = useChange<PromptsSearch>();
  const go = useGo();
  const may = useMay("member");
  const list = queries.useInfiniteQuery("get", "/prompts", { params: { query: { limit: 200 } } }, byCursor);
  const rows = rowsOf<Prompt>(list.data)?.filter((p) => holdsWords(search.q, p.slug, p.text));
  const create = may && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => change({ new: "yes" })}>
      New prompt
    </Button>
  );
  const bare = rows?.length === 0 && !search.q; // then Empty has the buttons
  return (
    <Page
      title="Prompts" about="Versioned texts that tell a language model how to play the caller. An agent's test defaults name the one that its runs use."
      actions={
        !bare && <>
          <Search label="Search prompts" value={search.q} change={(q) => change({ q }, true)} />
          {create}
        </>
      }
    >
      {!may && search.new && <Needs role="member" what="Making a prompt" />}
      {list.error != null && <ProblemBox error={list.error} />}
      {(rows || !list.error) && (
        <DataTable
          label="Prompts" rows={rows} rowKey={(p) => p.slug} columns={columns} more={moreOf(list)} open={(p) => void go({ to: "/prompts/$slug", params: { slug: p.slug } })}
          empty={
            search.q ? <Empty title={`No prompt matches “${search.q}”`} /> : (
              <Empty title="No prompts yet" action={create}>
                Until you write one, a built-in prompt plays the callers that have a goal and no script. Describe in yours how your customers talk.
              </Empty>
            )
          }
        />
      )}
      {search.new && may && <NewPrompt close={() => change({ new: undefined })} />}
    </Page>
  );
}

const columns: Column<Prompt>[] = [
  {
    key: "slug", header: "Prompt", min: 120, cell: (p) => (
      <Go to="/prompts/$slug" params={{ slug: p.slug }} className="rt-words">
        {p.slug}
      </Go>
    ),
  },
  { key: "text", header: "Text", width: "50%", min: 180, cell: (p) => <Text span size="sm" c="dimmed" lineClamp={1} className="rt-words">{p.text.slice(0, 200)}</Text> },
  { key: "version", header: "Version", numeric: true, cell: (p) => p.version },
  { key: "labels", header: "Labels", cell: (p) => <Labels labels={p.labels} known={[]} version={p.version} /> },
  { key: "at", header: "Changed", cell: (p) => <Time at={p.created_at} /> },
];

/** keep saves a new version of a prompt, or the first one of a new prompt. */
export async function keep(slug: string, text: string, labels: string[]): Promise<Prompt> {
  const kept = await request<Prompt>("POST", "/prompts", { slug, text, ...(labels.length > 0 && { labels }) });
  await refresh("/prompts");
  return kept;
}

function NewPrompt({ close }: { close: () => void }) {
  const [slug, setSlug] = useState("");
  const [text, setText] = useState("");
  const [labels, setLabels] = useState<string[]>([]);
  const go = useGo();
  const making = useMutation({ mutationFn: () => keep(slug.trim(), text, labels), onSuccess: (kept) => go({ to: "/prompts/$slug", params: { slug: kept.slug } }, true) });
  useUnsaved((slug !== "" || text !== "") && !making.isSuccess, "the prompt");
  const fields = fieldsOf(making.error);
  return (
    <DialogForm title="New prompt" size="lg" close={close} doing={making} fields={fields} verb="Create" disabled={slug.trim() === "" || text.trim() === ""}>
      <TextInput
        label="Slug" description="Its permanent name: a to z, 0 to 9, - and _" placeholder="impatient-customer" required data-autofocus value={slug} error={fields["slug"]}
        onChange={(event) => setSlug(event.currentTarget.value)}
      />
      <div>
        <Input.Label required labelElement="div">
          Text
        </Input.Label>
        <PromptEditor text={text} change={setText} error={fields["text"]} />
      </div>
      <VariablesNote text={text} />
      <NewLabels value={labels} onChange={setLabels} fields={fields} />
    </DialogForm>
  );
}
