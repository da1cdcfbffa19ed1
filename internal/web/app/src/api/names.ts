import { queries } from "./client";

/** Named is something with an id and a name. */
export interface Named {
  id: string;
  name: string;
}

const All = { params: { query: { limit: 1000 } } };
const Seldom = { staleTime: 60_000 };

/** useAgents are the agents of the workspace, as many as a list of choices can show. */
export function useAgents() {
  return queries.useQuery("get", "/agents", All, Seldom);
}

/** useDatasets are the datasets of the workspace, as many as a list of choices can show. */
export function useDatasets() {
  return queries.useQuery("get", "/datasets", All, Seldom);
}

/** nameOf finds the name of an id; what has been deleted keeps its id. */
export function nameOf(list: Named[] | null | undefined, id: string | null | undefined): string {
  if (!id) return "–";
  return list?.find((one) => one.id === id)?.name ?? id;
}
