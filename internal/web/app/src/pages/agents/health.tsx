import { queries, type Schemas } from "../../api/client";
import { Unknown } from "../../parts/format";
import { Go } from "../../parts/go";
import { Health } from "../../parts/verdict";

type Condition = Schemas["AgentHealth"];

/** useHealth gives the health of agents in production by their id: null without calls in the last 24 hours, undefined while it is not known. error says why it is not. */
export function useHealth(): { of: (id: string) => Condition | null | undefined; error: unknown } {
  const { data, error } = queries.useQuery("get", "/monitoring/overview", {}, { staleTime: 30_000 });
  return { of: (id) => data && (data.agents.find((agent) => agent.agent_id === id) ?? null), error };
}

/** AgentHealth says how an agent is doing in production, and leads to its monitoring. */
export function AgentHealth({ id, health }: { id: string; health: Condition | null | undefined }) {
  if (!health) return <span style={{ color: "var(--mantine-color-dimmed)" }}>{health === null ? "no calls in 24 h" : Unknown}</span>;
  return (
    <Go to="/" search={{ agent: id }}>
      <Health verdict={health.verdict} title={health.sentences.join(" ")} />
    </Go>
  );
}
