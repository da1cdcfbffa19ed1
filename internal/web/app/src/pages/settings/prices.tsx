import { NativeSelect, NumberInput, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { queries, queryClient, request, type Schemas } from "../../api/client";
import { useMutation } from "../../api/mutation";
import { fieldsOf } from "../../api/problem";
import { notNumber } from "../../parts/number";
import { ProblemBox } from "../../parts/problem";
import { useTrunks } from "../../parts/trunks";
import { useUnsaved } from "../../parts/unsaved";
import { useMay } from "../../shell/session";
import { Form, Section } from "./form";
import { type Draft, draftOf, type Line, overlaid, pricesOf, readable, same, type Written } from "./pricing";

/** Prices edits what a minute of a call costs. Estimates and results are computed from it. */
export function Prices() {
  const { data, error } = queries.useQuery("get", "/prices");
  const trunks = useTrunks();
  return (
    <Section
      title="Prices"
      about="What a minute of a test call costs. Estimates and results show costs at these prices; nothing is billed. A price left empty is free for what runs on this machine (the offline engines, a trunk or media server on loopback). For anything else the cost is shown as not known."
    >
      {error != null && <ProblemBox error={error} />}
      {data && trunks && <Table prices={data} trunks={trunks.data} />}
    </Section>
  );
}

function Table({ prices, trunks }: { prices: Schemas["CallPrices"]; trunks: { name: string }[] }) {
  const admin = useMay("admin");
  const now = draftOf(prices, trunks);
  const [written, setWritten] = useState<Written>({});
  const draft = overlaid(now, written);
  const set = (part: Written) => setWritten((old) => ({ ...old, ...part }));
  const setLine = (name: string, part: Partial<Line>) => setWritten((old) => ({ ...old, trunks: { ...old.trunks, [name]: { ...old.trunks?.[name], ...part } } }));
  const unsaved = !same(draft, now);
  useUnsaved(unsaved, "the prices");
  const doing = useMutation({
    mutationFn: async () => {
      // The operation replaces all prices. Those that were not changed here are taken as they are now, since somebody else may have changed them.
      const latest = await request<Schemas["CallPrices"]>("GET", "/prices");
      await request("PUT", "/prices", pricesOf(overlaid(draftOf(latest, trunks), written)));
      return written;
    },
    onSuccess: async (sent) => {
      await queryClient.invalidateQueries({ predicate: ({ queryKey }) => ["/prices", "estimate", "results"].some((word) => queryKey.includes(word)) });
      setWritten((old) => (old === sent ? {} : old));
    },
  });
  const wrong = fieldsOf(doing.error);
  const minute = (key: "rooms" | "speech" | "model", label: string, description: string) => (
    <Amount label={label} description={description} value={draft[key]} error={wrong[`${key}_per_minute`]} readOnly={!admin} change={(value) => set({ [key]: value })} />
  );
  return (
    <Form doing={doing} verb="Save the prices" done={unsaved ? undefined : "Saved."} readOnly={!admin} disabled={!unsaved || !readable(draft)}>
      <Stack gap="sm" w="100%" maw={720}>
        <TextInput label="Currency" description="Three letters, as in USD or EUR" w={220} maxLength={3} required readOnly={!admin} value={draft.currency} error={wrong["currency"]} onChange={(event) => set({ currency: event.currentTarget.value.toUpperCase() })} />
        {draft.trunks.map((line, i) => (
          <TrunkLine key={line.name} line={line} readOnly={!admin} error={Object.entries(wrong).find(([place]) => place.startsWith(`trunks[${sentAt(draft, i)}]`))?.[1]} change={(part) => setLine(line.name, part)} />
        ))}
        {draft.trunks.length === 0 && (
          <Text size="sm" c="dimmed">
            No trunk is configured.
          </Text>
        )}
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          {minute("speech", "Speech, per minute", "Speaking and listening, unless offline")}
          {minute("model", "Language model, per minute", "For calls that a model plays or judges")}
          {minute("rooms", "Media rooms, per minute", "If the media server is not the embedded one")}
        </SimpleGrid>
      </Stack>
    </Form>
  );
}

/** sentAt is the index of a line in the request, where lines without a price are left out: messages name their field by it. */
function sentAt(draft: Draft, i: number): number {
  return draft.trunks.slice(0, i).filter(({ price }) => price !== "").length;
}

interface TrunkLineProps {
  line: Line;
  readOnly: boolean;
  error: string | undefined;
  change: (part: Partial<Line>) => void;
}

function TrunkLine({ line, readOnly, error, change }: TrunkLineProps) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <Amount label={`Trunk ${line.name}, per minute`} value={line.price} error={error} readOnly={readOnly} change={(price) => change({ price })} />
      <NativeSelect
        label={`Trunk ${line.name} bills`} value={line.step} disabled={readOnly} onChange={(event) => change({ step: event.currentTarget.value })}
        data={[{ value: "60", label: "each started minute" }, { value: "30", label: "each started half minute" }, { value: "6", label: "each started six seconds" }, { value: "1", label: "each second" }, ...(["60", "30", "6", "1"].includes(line.step) ? [] : [{ value: line.step, label: `steps of ${line.step} s` }])]}
      />
    </SimpleGrid>
  );
}

interface AmountProps {
  label: string;
  description?: string;
  value: string;
  error: string | undefined;
  readOnly: boolean;
  change: (value: string) => void;
}

function Amount({ label, description, value, error, readOnly, change }: AmountProps) {
  return <NumberInput label={label} description={description} placeholder="not set" hideControls min={0} decimalScale={6} value={value} error={notNumber(value) ?? error} readOnly={readOnly} onChange={(next) => change(String(next))} />;
}
