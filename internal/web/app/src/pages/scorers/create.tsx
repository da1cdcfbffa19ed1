import { Button, Group, Stack, TagsInput, TextInput } from "@mantine/core";
import { useState } from "react";
import { request, type Schemas } from "../../api/client";
import { useMutation } from "../../api/mutation";
import { fieldsOf, problemOf } from "../../api/problem";
import { refresh } from "../../api/refresh";
import { Dialog } from "../../parts/dialog";
import { useGo } from "../../parts/go";
import { ProblemBox } from "../../parts/problem";
import { useUnsaved } from "../../parts/unsaved";
import { ScorerForm } from "./form";
import { type Draft, isUnread, sent } from "./params";

/** keep stores the next version of a scorer, the first when there is none. */
export async function keep(slug: string, draft: Draft, labels: string[]): Promise<Schemas["Scorer"]> {
  const kept = await request<Schemas["Scorer"]>("POST", "/scorers", {
    slug, kind: draft.kind, optional: draft.optional, params: sent(draft.params), ...(draft.name.trim() && { name: draft.name.trim() }), ...(labels.length > 0 && { labels }),
  });
  await refresh("/scorers");
  return kept;
}

const Blank: Draft = { kind: "say", name: "", optional: false, params: {} };

/** NewScorer makes a scorer by its slug and what it checks. */
export function NewScorer({ close }: { close: () => void }) {
  const [slug, setSlug] = useState("");
  const [labels, setLabels] = useState<string[]>([]);
  const [draft, setDraft] = useState(Blank);
  const go = useGo();
  const making = useMutation({
    mutationFn: () => keep(slug.trim(), draft, labels),
    onSuccess: (kept) => go({ to: "/scorers/$slug", params: { slug: kept.slug } }, true),
  });
  useUnsaved((slug !== "" || draft !== Blank) && !making.isSuccess, "the scorer");
  const fields = making.error ? fieldsOf(problemOf(making.error)) : {};
  return (
    <Dialog onClose={close} title="New scorer" size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          making.mutate();
        }}
      >
        <Stack>
          <TextInput
            label="Slug" description="Its lasting name: a to z, 0 to 9, - and _" placeholder="greets-by-name" required data-autofocus value={slug} error={fields["slug"]}
            onChange={(event) => setSlug(event.currentTarget.value)}
          />
          <ScorerForm draft={draft} change={setDraft} fields={fields} readOnly={false} />
          <TagsInput label="Labels" description="Names for this version, as production" value={labels} onChange={setLabels} error={fields["labels"] ?? fields["labels[0]"]} acceptValueOnBlur />
          {making.error && Object.keys(fields).length === 0 && <ProblemBox error={making.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={making.isPending} disabled={slug.trim() === "" || isUnread(draft)}>
              Create
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
