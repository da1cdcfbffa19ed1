import { TextInput } from "@mantine/core";
import { useState } from "react";
import { request, type Schemas } from "../../api/client";
import { useMutation } from "../../api/mutation";
import { fieldsOf } from "../../api/problem";
import { refresh } from "../../api/refresh";
import { DialogForm } from "../../parts/dialogform";
import { useGo } from "../../parts/go";
import { NewLabels } from "../../parts/labels";
import { useUnsaved } from "../../parts/unsaved";
import { ScorerForm } from "./form";
import { type Draft, isUnread, sent } from "./params";

/** keep saves a new version of a scorer, or the first one of a new scorer. */
export async function keep(slug: string, draft: Draft, labels: string[]): Promise<Schemas["Scorer"]> {
  const kept = await request<Schemas["Scorer"]>("POST", "/scorers", {
    slug, kind: draft.kind, optional: draft.optional, params: sent(draft.params), ...(draft.name.trim() && { name: draft.name.trim() }), ...(labels.length > 0 && { labels }),
  });
  await refresh("/scorers");
  return kept;
}

const Blank: Draft = { kind: "say", name: "", optional: false, params: {} };

/** NewScorer is the dialog that makes a scorer. */
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
  const fields = fieldsOf(making.error);
  return (
    <DialogForm title="New scorer" size="lg" close={close} doing={making} fields={fields} verb="Create" disabled={slug.trim() === "" || isUnread(draft)}>
      <TextInput
        label="Slug" description="Its permanent name: a to z, 0 to 9, - and _" placeholder="greets-by-name" required data-autofocus value={slug} error={fields["slug"]}
        onChange={(event) => setSlug(event.currentTarget.value)}
      />
      <ScorerForm draft={draft} change={setDraft} fields={fields} readOnly={false} />
      <NewLabels value={labels} onChange={setLabels} fields={fields} />
    </DialogForm>
  );
}
