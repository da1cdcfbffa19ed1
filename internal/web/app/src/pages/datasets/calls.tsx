import { Alert, Button, Checkbox, Group, NativeSelect, Skeleton, Stack, Text, Textarea } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { queries, request, type Schemas } from "../../api/client";
import { useMutation } from "../../api/mutation";
import { refresh } from "../../api/refresh";
import { Dialog } from "../../parts/dialog";
import { counted, duration } from "../../parts/format";
import { Go } from "../../parts/go";
import { JsonView } from "../../parts/json";
import { ProblemBox } from "../../parts/problem";
import { Time } from "../../parts/time";
import { useUnsaved } from "../../parts/unsaved";
import { Verdict } from "../../parts/verdict";
import classes from "./calls.module.css";
import { behaviours, expectations, firstLine } from "./outline";
import { Waiting } from "../../parts/waiting";

type Made = Schemas["ItemsFromCalls"];

/** MostCalls is how many calls one request may name. */
const MostCalls = 100;

interface FromCallsProps {
  dataset: Schemas["Dataset"];
  close: () => void;
  /** given are ids of calls that were chosen on another page, separated by commas. */
  given?: string;
}

/** FromCalls makes scenarios from calls, in two steps: choose the calls, then look at what would be added and add it. */
export function FromCalls({ dataset, close, given }: FromCallsProps) {
  const [begun] = useState(() => idsOf(given ?? "").join("\n"));
  const [text, setText] = useState(begun);
  const ids = useMemo(() => idsOf(text), [text]);
  const [choosing, setChoosing] = useState(ids.length === 0);
  const [redact, setRedact] = useState(true);
  const path = `/datasets/${encodeURIComponent(dataset.id)}/from-calls`;
  const preview = useQuery({
    queryKey: ["from-calls", dataset.id, ids, redact],
    queryFn: () => request<Made>("POST", path, { call_ids: ids, dry_run: true, redact_numbers: redact }),
    enabled: !choosing && ids.length > 0,
    retry: false, refetchOnWindowFocus: false, gcTime: 0, placeholderData: keepPreviousData,
  });
  const adding = useMutation({
    mutationFn: async () => {
      await request<Made>("POST", path, { call_ids: ids, redact_numbers: redact });
      await refresh("/datasets");
    },
    onSuccess: () => setTimeout(close, 0), // closing is a navigation: it must find nothing unsaved
  });
  useUnsaved(text !== begun && !adding.isSuccess, "the scenarios");
  const items = preview.data?.items ?? [];
  return (
    <Dialog onClose={close} title={`Make scenarios from calls for ${dataset.name}`} size="xl">
      {choosing ? (
        <Choose text={text} ids={ids} change={setText} next={() => setChoosing(false)} close={close} />
      ) : (
        <Stack>
          <Checkbox label="Replace numbers of four or more digits that the caller spoke with made-up ones" checked={redact} onChange={(event) => setRedact(event.currentTarget.checked)} />
          {preview.isPending && <Skeleton height={160} aria-label="Looking at the calls" />}
          {preview.error && <ProblemBox error={preview.error} />}
          <Notes notes={preview.data?.notes ?? []} />
          {items.map((item, n) => (
            <Preview key={n} item={item} call={ids[n]} />
          ))}
          {adding.error && <ProblemBox error={adding.error} />}
          <Group justify="space-between">
            <Button variant="subtle" onClick={() => setChoosing(true)}>
              Choose other calls
            </Button>
            <Group gap="xs">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button disabled={items.length === 0 || preview.isFetching || preview.isError} loading={adding.isPending} onClick={() => adding.mutate()}>
                {items.length === 1 ? "Add the scenario" : `Add ${items.length} scenarios`}
              </Button>
            </Group>
          </Group>
        </Stack>
      )}
    </Dialog>
  );
}

/** idsOf finds ids of calls in any text: lists, lines, or addresses of call pages. */
export function idsOf(text: string): string[] {
  return [...new Set(text.match(/call_[0-9a-z]+/g) ?? [])].slice(0, MostCalls);
}

function Notes({ notes }: { notes: Made["notes"] }) {
  if (notes.length === 0) return null;
  return (
    <Alert role="note" color="yellow" variant="light" title="What the scenarios leave out" styles={{ title: { color: "var(--rt-void)" } }}>
      {notes.map((note, n) => (
        <Text key={n} size="sm" className="rt-words">
          {note.note}
        </Text>
      ))}
    </Alert>
  );
}

function Preview({ item, call }: { item: Schemas["Item"]; call?: string }) {
  return (
    <details className={classes.preview}>
      <summary>
        <b>{item.key || firstLine(item)}</b>
        <span className={classes.about}>
          {counted(item.input?.script?.length ?? 0, "step")}{behaviours(item) && `, ${behaviours(item)}`}; expects {expectations(item) || "nothing yet"}
        </span>
      </summary>
      {call && (
        <Go to="/calls/$id" params={{ id: call }} newTab>
          The call it was made from
        </Go>
      )}
      <JsonView value={item} height={280} />
    </details>
  );
}

interface ChooseProps {
  /** text is what stands in the field of ids, which may be unfinished; ids are those in it. */
  text: string;
  ids: string[];
  change: (text: string) => void;
  next: () => void;
  close: () => void;
}

const Filters: Record<string, { label: string; query: Record<string, unknown> }> = {
  failed: { label: "Production calls that failed", query: { origin: "production", verdict: "failed" } },
  upset: { label: "Production calls with an upset caller", query: { origin: "production", upset: true } },
  production: { label: "All production calls", query: { origin: "production" } },
  simulated: { label: "Test calls that failed", query: { origin: "simulated", verdict: "failed" } },
};

function Choose({ text, ids, change, next, close }: ChooseProps) {
  const [filter, setFilter] = useState("production");
  const found = queries.useQuery("get", "/calls", { params: { query: { limit: 50, status: "ENDED", ...Filters[filter]?.query } as never } });
  const calls = found.data?.data ?? [];
  const toggle = (id: string) => change((ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id].slice(0, MostCalls)).join("\n"));
  return (
    <Stack>
      <NativeSelect label="Recent calls" value={filter} data={Object.entries(Filters).map(([value, { label }]) => ({ value, label }))} onChange={(event) => setFilter(event.currentTarget.value)} />
      {found.error && <ProblemBox error={found.error} />}
      {found.isPending && <Waiting height={160} />}
      {found.data && calls.length === 0 && <Text size="sm" c="dimmed">There are no such calls.</Text>}
      {calls.length > 0 && (
        <div className={classes.list} role="group" aria-label="Calls">
          {calls.map((call) => (
            <label key={call.id} className={classes.call}>
              <input type="checkbox" checked={ids.includes(call.id)} onChange={() => toggle(call.id)} />
              <span className="rt-mono rt-clip">{call.external_id ?? call.id}</span>
              <span>{duration(call.duration_ms)}</span>
              <Verdict verdict={call.verdict} />
              <Time at={call.started_at ?? call.created_at} />
            </label>
          ))}
        </div>
      )}
      <Textarea label="Or call ids" description="One per line; links to call pages work, too" value={text} autosize minRows={2} maxRows={6} onChange={(event) => change(event.currentTarget.value)} />
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button disabled={ids.length === 0} onClick={next}>
          Preview {ids.length === 1 ? "the scenario" : `${ids.length} scenarios`}
        </Button>
      </Group>
    </Stack>
  );
}
