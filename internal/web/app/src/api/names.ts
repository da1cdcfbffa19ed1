import { queryOptions, useQuery } from "@tanstack/react-query";
import { api, queries, type Schemas } from "./client";

/** Named is something with an id and a name. */
export interface Named {
  id: string;
  name: string;
}

const All = { params: { query: { limit: 1000 } } };
const SeldomChanged = { staleTime: 60_000 };

/** MostAgents is how many agents a list of choices shows at most. */
const MostAgents = 10_000;

async function readAgents(signal: AbortSignal): Promise<{ data: Schemas["Agent"][] }> {
  const agents: Schemas["Agent"][] = [];
  for (let cursor: string | undefined; ; ) {
    const { data, error } = await api.GET("/agents", { params: { query: { ...All.params.query, cursor } }, signal });
    if (error !== undefined) throw error;
    agents.push(...data.data);
    if (!data.next_cursor || agents.length >= MostAgents) return { data: agents };
    cursor = data.next_cursor;
  }
}

/** agentsQuery reads all agents of the workspace, page by page. */
export const agentsQuery = queryOptions({ queryKey: ["get", "/agents", "all"], queryFn: ({ signal }) => readAgents(signal), ...SeldomChanged });

/** useAgents are the agents of the workspace, as many as a list of choices can show. */
export function useAgents() {
  return useQuery(agentsQuery);
}

/** useDatasets are the datasets of the workspace, as many as a list of choices can show. */
export function useDatasets() {
  return queries.useQuery("get", "/datasets", All, SeldomChanged);
}

/** nameOf is the name that belongs to an id, or the id itself when nothing has it any more, as after a deletion. */
export function nameOf(list: Named[] | undefined, id: string | null | undefined): string {
  if (!id) return "–";
  return list?.find((one) => one.id === id)?.name ?? id;
}
