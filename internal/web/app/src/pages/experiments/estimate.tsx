import { Group, Stack, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api, type Schemas } from "../../api/client";
import { isTransient, problemOf, capitalized, textOf } from "../../api/problem";
import { count, money, roughly } from "../../parts/format";
import { ProblemBox } from "../../parts/problem";
import { Waiting } from "../../parts/waiting";

/** Estimate shows how long a run would take and what it would cost, before it is started. */
export function Estimate({ agent, body }: { agent: string; body: Schemas["RunRequest"] }) {
  const [asked] = useDebouncedValue(JSON.stringify({ agent, body }), 350);
  const { data, error } = useQuery({
    queryKey: ["estimate", asked],
    queryFn: async ({ signal }) => {
      const { agent: id, body: run } = JSON.parse(asked) as { agent: string; body: Schemas["RunRequest"] };
      const answer = await api.POST("/voice-agent/{agent_id}/estimate", { params: { path: { agent_id: id } }, body: run, signal });
      if (answer.error) throw answer.error;
      return answer.data;
    },
    placeholderData: keepPreviousData,
    retry: false,
  });
  return (
    <Stack className="rt-panel" p="md" gap="xs" aria-live="polite" component="section" aria-label="Estimate">
      <Text fw={600} size="sm">
        Estimate
      </Text>
      {!data && error == null && <Waiting height={80} />}
      {error != null && (isTransient(error) ? <ProblemBox error={error} /> : <Refused error={error} />)}
      {data && error == null && <Figures data={data} />}
    </Stack>
  );
}

/** Refused says why the service would not start the run as it is written. */
function Refused({ error }: { error: unknown }) {
  const problem = problemOf(error);
  return (
    <Text size="sm" c="var(--rt-warn)">
      The run cannot be started like this: {problem.errors?.map((field) => `${field.path ?? field.location ?? ""} ${field.message}`).join("; ") || textOf(problem)}. {problem.hint && capitalized(problem.hint)}
    </Text>
  );
}

function Figures({ data }: { data: Schemas["RunEstimate"] }) {
  const { calls, minutes, seconds_until_done: until, cost, notes } = data;
  return (
    <>
      <Row name="Calls" value={count(calls)} />
      <Row name="Total talk time" value={`${range(minutes.low, minutes.high, (n) => String(n))} min`} />
      <Row name="Done within" value={range(until.low, until.high, (s) => roughly(s * 1000))} />
      <Row name="Cost" value={cost ? range(cost.low, cost.high, (n) => money(n, cost.currency)) : "not known"} />
      {notes.map((note) => (
        <Text key={note} size="xs" c="dimmed">
          {note}
        </Text>
      ))}
    </>
  );
}

function range(low: number, high: number, write: (n: number) => string): string {
  return write(low) === write(high) ? write(low) : `${write(low)} to ${write(high)}`;
}

function Row({ name, value }: { name: string; value: string }) {
  return (
    <Group justify="space-between" gap="xs">
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <Text size="sm" fw={600}>
        {value}
      </Text>
    </Group>
  );
}
