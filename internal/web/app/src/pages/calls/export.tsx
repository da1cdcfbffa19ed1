import { Button, Group, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { api } from "../../api/client";
import { useMutation } from "../../api/mutation";
import { problemOf, textOf } from "../../api/problem";
import { type Cell, csvOf, utc } from "../../parts/csv";
import { count } from "../../parts/format";
import { save } from "../../parts/save";
import { type Filter, questionOf } from "./filter";
import type { Call } from "./types";

/** Most is how many calls one file holds: they are all kept in memory until it is saved. */
const Most = 10_000;
const PageSize = 1000;

/** Export downloads the calls that match the filter as CSV. name gives the name of an agent. */
export function Export({ filter, name }: { filter: Filter; name: (id: string) => string }) {
  const [read, setRead] = useState(0);
  const asked = JSON.stringify(filter);
  const [taken, setTaken] = useState(asked); // what is said of a file is said beside its calls alone
  const taking = useMutation({
    mutationFn: async () => {
      setRead(0);
      setTaken(asked);
      const { calls, all } = await readAll(filter, setRead);
      save(`calls-${utc(Date.now()).slice(0, 10)}.csv`, callsCsv(calls, name), "text/csv");
      return all;
    },
  });
  return (
    <Group gap="xs">
      {/* Not disabled while it reads: it would lose the focus. */}
      <Button variant="default" leftSection={<IconDownload size={15} />} aria-busy={taking.isPending} onClick={() => taking.isPending || taking.mutate()}>
        {taking.isPending ? `${count(read)} calls read…` : "Download CSV"}
      </Button>
      {taken === asked && taking.data === false && (
        <Text size="xs" c="dimmed" role="status" maw={220}>
          The file holds the newest {count(Most)}. Narrow the list to have others.
        </Text>
      )}
      {taken === asked && taking.isError && (
        <Text size="xs" role="alert" maw={220} style={{ color: "var(--rt-failed)" }}>
          {textOf(problemOf(taking.error))}
        </Text>
      )}
    </Group>
  );
}

async function readAll(filter: Filter, tell: (read: number) => void): Promise<{ calls: Call[]; all: boolean }> {
  const question = questionOf(filter, Date.now());
  const calls: Call[] = [];
  for (let cursor: string | undefined; ; ) {
    const { data, error } = await api.GET("/calls", { params: { query: { ...question, limit: PageSize, cursor } } });
    if (error !== undefined) throw error;
    calls.push(...data.data);
    tell(calls.length);
    if (!data.next_cursor || calls.length >= Most) return { calls, all: !data.next_cursor };
    cursor = data.next_cursor;
  }
}

/** Fields are the columns in order. Times are in UTC. */
const Fields: [name: string, of: (call: Call, name: (id: string) => string) => Cell][] = [
  ["id", (call) => call.id], ["began_utc", (call) => utc(call.started_at ?? call.created_at)], ["origin", (call) => call.origin],
  ["agent", (call, name) => call.agent_id && name(call.agent_id)], ["agent_id", (call) => call.agent_id],
  ["status", (call) => call.status], ["scoring_status", (call) => call.scoring_status], ["verdict", (call) => call.verdict], ["verdict_reason", (call) => call.verdict_reason],
  ["end_reason", (call) => call.end_reason.code], ["blame", (call) => call.end_reason.blame], ["end_detail", (call) => call.end_reason.detail],
  ["duration_ms", (call) => call.duration_ms], ["turn_latency_p50_ms", (call) => call.turn_latency_ms],
  ["caller_sentiment", (call) => call.caller_sentiment], ["caller_upset", (call) => call.caller_upset],
  ["from_number", (call) => call.from_number], ["to_number", (call) => call.to_number], ["room_name", (call) => call.room_name],
  ["voice_experiment_id", (call) => call.voice_experiment_id], ["dataset_item_id", (call) => call.dataset_item_id], ["repetition", (call) => call.repetition || null],
  ["external_id", (call) => call.external_id],
];

/** callsCsv writes calls as a table, with a column for each key of their metadata. */
export function callsCsv(calls: Call[], name: (id: string) => string): string {
  const keys = [...new Set(calls.flatMap((call) => Object.keys(call.metadata ?? {})))].sort();
  const head = [...Fields.map(([field]) => field), ...keys.map((key) => `metadata.${key}`)];
  const rows = calls.map((call) => [...Fields.map(([, of]) => of(call, name)), ...keys.map((key) => plainOf(call.metadata?.[key]))]);
  return csvOf([head, ...rows]);
}

/** plainOf is a value of metadata as a cell: it may be anything that JSON can hold. */
function plainOf(value: unknown): Cell {
  if (value == null) return null;
  return typeof value === "object" ? JSON.stringify(value) : (value as Cell);
}
