import { QueryClient } from "@tanstack/react-query";
import createFetch from "openapi-fetch";
import createQueries from "openapi-react-query";
import { foreign, type Problem, passing } from "./problem";
import type { components, paths } from "./schema";

/** Base is what every path of the interface begins with. */
export const Base = "/api/rest";

/** Schemas are the wire types by the names that the OpenAPI document gives them. */
export type Schemas = components["schemas"];

/** api calls an operation; it answers {data, error}. Pages use queries below, and this in event handlers. */
export const api = createFetch<paths>({ baseUrl: Base, credentials: "same-origin", fetch: (request) => globalThis.fetch(request) });

api.use({
  async onResponse({ response }) {
    if (response.status === 401) ended();
    if (response.ok && isForeign(response)) throw foreign();
    if (response.ok || response.headers.get("content-type")?.includes("problem+json")) return undefined;
    const problem: Problem = { status: response.status, code: "internal", title: `The service answered ${response.status}` };
    return new Response(JSON.stringify(problem), { status: response.status, headers: { "content-type": "application/problem+json" } });
  },
});

/** isForeign tells whether an answer is none of the service's, which writes JSON alone: a network or a proxy that wants somebody to sign in answers with a page. */
function isForeign({ status, headers }: Response): boolean {
  return status !== 204 && headers.get("content-length") !== "0" && !headers.get("content-type")?.includes("json");
}

/** ended has the page ask who is at the screen when the service says that nobody is. */
function ended() {
  void queryClient.invalidateQueries({ queryKey: ["session"] });
}

const made = createQueries(api);

/**
 * queries are hooks over the operations: queries.useQuery("get", "/agents", {params: …}), with errors that problemOf understands. A list that is read page by
 * page is kept apart from the same question asked once, whose answer has another form.
 */
export const queries: typeof made = {
  ...made,
  useInfiniteQuery: ((method: "get", path: "/agents", init: object, ...rest: [never]) => made.useInfiniteQuery(method, path, { ...init, paged: true } as never, ...rest)) as never,
};

export const queryClient = new QueryClient({
  defaultOptions: {
    // The service may be on this very machine: a browser that says it is offline is asked all the same.
    queries: {
      networkMode: "always",
      staleTime: 5_000,
      refetchOnWindowFocus: true,
      retry: (count, error) => count < 3 && passing(error),
      retryDelay: (count) => Math.min(500 * 2 ** count, 8_000),
    },
    mutations: { networkMode: "always", retry: false },
  },
});

/** request sends JSON to an operation and throws its problem; for the few that are called outside the typed client. */
export function request<T>(method: string, path: string, body?: unknown): Promise<T> {
  const init: RequestInit = { method };
  if (body !== undefined) {
    init.headers = { "content-type": "application/json" };
    init.body = JSON.stringify(body);
  }
  return answer(path, init);
}

/** upload sends a file or a text as it is. The path names its format. */
export function upload<T>(method: string, path: string, file: Blob | string, signal?: AbortSignal): Promise<T> {
  return answer(path, { method, headers: { "content-type": "application/octet-stream" }, body: file, signal });
}

async function answer<T>(path: string, init: RequestInit): Promise<T> {
  const response = await fetch(Base + path, { ...init, credentials: "same-origin" });
  const text = await response.text();
  if (response.ok && isForeign(response)) throw foreign();
  if (response.status === 401 && !path.startsWith("/session")) ended();
  const read = text && response.headers.get("content-type")?.includes("json") ? JSON.parse(text) : undefined;
  if (!response.ok) throw read ?? { status: response.status, code: "internal", title: `The service answered ${response.status}` };
  return read as T;
}
