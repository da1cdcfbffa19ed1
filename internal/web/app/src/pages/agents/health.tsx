import { queries, type Schemas } from "../../api/client";
import { Unknown } from "../../parts/format";
import { Go } from "../../parts/go";
import { Mark } from "../../parts/verdict";

const Words: Record<string, { tone: string; label: string }> = {
  ok: { tone: "passed", label: "healthy" },
  watch: { tone: "void", label: "watch" },
  bad: { tone: "failed", label: "not healthy" },
  unknown: { tone: "open", label: "too little history" },
};

type AgentHealth = Schemas["AgentHealth"];

/** useHealth gives the health of an agent in production by its id: null when it had no calls in the last 24 hours, undefined while that is not known. error is why it is not. */
export function useHealth(): { of: (id: string) => AgentHealth | null | undefined; error: unknown } {
  const { data, error } = queries.useQuery("get", "/monitoring/overview", {}, { staleTime: 30_000 });
  return { of: (id) => data && (data.agents?.find((agent) => agent.agent_id === id) ?? null), error };
}

/** Health tells how an agent does in production, and leads to its monitoring. */
export function Health({ id, health }: { id: string; health: AgentHealth | null | undefined }) {
  if (!health) return <span style={{ color: "var(--mantine-color-dimmed)" }}>{health === null ? "no calls in 24 h" : Unknown}</span>;
  return (
    <Go to="/" search={{ agent: id }}>
      <Mark {...(Words[health.verdict] ?? { tone: "open", label: health.verdict })} title={health.sentences?.join(" ")} />
    </Go>
  );
}
