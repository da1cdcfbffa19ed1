import { queries, type Schemas } from "../../api/client";
import { Go } from "../../parts/go";
import { Mark } from "../../parts/verdict";

const Words: Record<string, { tone: string; label: string }> = {
  ok: { tone: "passed", label: "healthy" },
  watch: { tone: "void", label: "watch" },
  bad: { tone: "failed", label: "not healthy" },
  unknown: { tone: "open", label: "too little history" },
};

/** useHealth gives the health of an agent in production by its id; undefined when it had no calls in the last 24 hours. */
export function useHealth(): (id: string) => Schemas["AgentHealth"] | undefined {
  const { data } = queries.useQuery("get", "/monitoring/overview", {}, { staleTime: 30_000 });
  return (id) => data?.agents?.find((agent) => agent.agent_id === id);
}

/** Health tells how an agent does in production, and leads to its monitoring. */
export function Health({ id, health }: { id: string; health: Schemas["AgentHealth"] | undefined }) {
  if (!health) return <span style={{ color: "var(--mantine-color-dimmed)" }}>no calls in 24 h</span>;
  return (
    <Go to="/" search={{ agent: id }}>
      <Mark {...(Words[health.verdict] ?? { tone: "open", label: health.verdict })} title={health.sentences?.join(" ")} />
    </Go>
  );
}
