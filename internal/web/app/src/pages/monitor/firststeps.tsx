import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { IconCircleCheck, IconCircleDashed } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { queries } from "../../api/client";
import { Go, linked, type Target } from "../../parts/go";
import { ProblemBox } from "../../parts/problem";
import { Waiting } from "../../parts/waiting";
import { useMay } from "../../shell/session";

interface Step {
  title: string;
  about: ReactNode;
  done: boolean | undefined;
  /** begin is where the step is done; there is what it led to. */
  begin: Target;
  verb: string;
  there: Target;
}

/** FirstSteps stands on the overview while there are no recent production calls: what to do, in order, and what of it is done. */
export function FirstSteps() {
  const may = useMay("member");
  const { past, steps, error } = useSteps();
  const next = steps.find((step) => step.done === false);
  if (error == null && past === undefined) return <Waiting height={320} />;
  return (
    <Stack className="rt-panel" p="md" gap="md" component="section" aria-label="First steps">
      {error != null && <ProblemBox error={error} />}
      <div>
        <Title order={2}>{past === false ? "No production calls yet" : "No production calls in 29 days"}</Title>
        <Text size="sm" c="dimmed" maw={760}>
          First test an agent with simulated callers, then watch it in production on this page. In a hurry? <span className="rt-mono">ringtrue demo</span> shows everything with a practice agent.
        </Text>
      </div>
      <Stack component="ol" gap="md" m={0} p={0} style={{ listStyle: "none" }}>
        {steps.map((step) => (
          <Line key={step.title} step={step} first={step === next} may={may} />
        ))}
      </Stack>
    </Stack>
  );
}

function Line({ step, first, may }: { step: Step; first: boolean; may: boolean }) {
  const { title, about, done, begin, verb, there } = step;
  return (
    <Group component="li" gap="sm" wrap="nowrap" align="flex-start">
      {done ? <IconCircleCheck size={20} style={{ color: "var(--rt-passed)", flex: "none" }} aria-label="Done" /> : <IconCircleDashed size={20} style={{ color: "var(--rt-open)", flex: "none" }} aria-label={done === false ? "To do" : "Not known"} />}
      <Stack gap={6} miw={0}>
        <div>
          <Text size="sm" fw={600}>
            {done ? <Go {...there}>{title}</Go> : title}
          </Text>
          <Text size="sm" c="dimmed" maw={720}>
            {about}
          </Text>
        </div>
        {done === false && may && (
          <Button w="fit-content" size="xs" variant={first ? "filled" : "default"} renderRoot={linked(begin)}>
            {verb}
          </Button>
        )}
      </Stack>
    </Group>
  );
}

const any = (data: { data: unknown[] } | undefined) => data && data.data.length > 0;

/** useSteps are the steps, and whether there are any production calls, also older ones than the overview shows. What is not known is undefined; error says why. */
function useSteps(): { past: boolean | undefined; steps: Step[]; error: unknown } {
  const one = { params: { query: { limit: 1 } } };
  const asked = [
    queries.useQuery("get", "/agents", one), queries.useQuery("get", "/datasets", one), queries.useQuery("get", "/voice-experiments", one),
    queries.useQuery("get", "/calls", { params: { query: { origin: "production", limit: 1 } } }),
  ] as const;
  const [agents, datasets, runs, past] = asked.map(({ data }) => any(data));
  return { past, steps: stepsOf(agents, datasets, runs, past), error: asked.find(({ error }) => error != null)?.error };
}

type Done = boolean | undefined;

function stepsOf(agents: Done, datasets: Done, runs: Done, past: Done): Step[] {
  return [
    { title: "Add your agent", about: "Its name, and the number to call.", done: agents, begin: { to: "/agents", search: { open: "new" } }, verb: "New agent", there: { to: "/agents" } },
    { title: "Write a dataset", about: "Scenarios: who calls, what they say, and what is expected of the agent.", done: datasets, begin: { to: "/datasets", search: { new: "yes" } }, verb: "New dataset", there: { to: "/datasets" } },
    { title: "Start a test run", about: "Simulated callers phone the agent, and every call is scored.", done: runs, begin: { to: "/experiments/new" }, verb: "Start a test run", there: { to: "/experiments" } },
    {
      title: "Send production calls",
      about: (
        <>
          Create an API key and post each call to <span className="rt-mono rt-words">/api/rest/v2/call-logs</span> (<a href="/docs">how</a>) when it has ended. To bring in calls that you have kept, run{" "}
          <span className="rt-mono">ringtrue import FILE…</span>
        </>
      ),
      done: past, begin: { to: "/settings/keys" }, verb: "Create an API key", there: { to: "/calls", search: { origin: "production" } },
    },
  ];
}
