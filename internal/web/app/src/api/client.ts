import { QueryClient } from "@tanstack/react-query";
import createFetch from "openapi-fetch";
import createQueries from "openapi-react-query";
import { foreign, type Problem, isTransient } from "./problem";
import type { components, paths } from "./schema";

/** Base is the prefix of every path of the interface. */
export const Base = "/api/rest";

/** Schemas are the wire types, named as in the OpenAPI document. */
export type Schemas = components["schemas"];

/** api calls an operation and resolves to {data, error}. Pages read through queries below and use this in event handlers. */
export const api = createFetch<paths>({ baseUrl: Base, credentials: "same-origin", fetch: (request) => globalThis.fetch(request) });

api.use({
  onResponse({ response }) {
    if (response.status === 401) askWhoIsThere();
    if (response.ok && isForeign(response)) throw foreign();
    return response.ok || tellsProblem(response) ? undefined : new Response(JSON.stringify(bareProblem(response)), { status: response.status, headers: { "content-type": Problems } });
  },
});

/** isForeign tells whether something else has answered in the service's place: the service writes JSON alone, a network that wants somebody to sign in a page. */
function isForeign({ status, headers }: Response): boolean {
  return status !== 204 && headers.get("content-length") !== "0" && !headers.get("content-type")?.includes("json");
}

const Problems = "application/problem+json";

/** tellsProblem tells whether an error is the service's own. A proxy may tell its errors in JSON of another form. */
function tellsProblem({ headers }: Response): boolean {
  return headers.get("content-type")?.includes("problem+json") ?? false;
}

/** bareProblem is an error of which nothing but its status is known. */
function bareProblem({ status }: Response): Problem {
  return { status, code: "internal", title: `The service answered ${status}` };
}

/** askWhoIsThere asks for the session anew: the service has just said that nobody is signed in. */
function askWhoIsThere() {
  void queryClient.invalidateQueries({ queryKey: ["session"] });
}

const made = createQueries(api);

/**
 * queries are hooks over the operations: queries.useQuery("get", "/agents", {params: …}). Their errors are for problemOf. A list that is read page by page has a
 * key of its own: the same request as a single query is cached in another form.
 */
export const queries: typeof made = {
  ...made,
  useInfiniteQuery: ((method: "get", path: "/agents", init: object, ...rest: [never]) => made.useInfiniteQuery(method, path, { ...init, paged: true } as never, ...rest)) as never,
};

export const queryClient = new QueryClient({
  defaultOptions: {
    // The service may run on this very machine, so requests are sent even when the browser says that it is offline.
    queries: {
      networkMode: "always",
      staleTime: 5_000,
      refetchOnWindowFocus: true,
      retry: (count, error) => count < 3 && isTransient(error),
      retryDelay: (count) => Math.min(500 * 2 ** count, 8_000),
    },
    mutations: { networkMode: "always", retry: false },
  },
});

/** request sends JSON to an operation and throws its problem; for event handlers, which need no more of the typed client than the form of the answer. */
export function request<T>(method: string, path: string, body?: unknown): Promise<T> {
  const init: RequestInit = { method };
  if (body !== undefined) {
    init.headers = { "content-type": "application/json" };
    init.body = JSON.stringify(body);
  }
  return send(path, init);
}

/** upload sends a file or a text unchanged; the path names its format. */
export function upload<T>(method: string, path: string, file: Blob | string, signal?: AbortSignal): Promise<T> {
  return send(path, { method, headers: { "content-type": "application/octet-stream" }, body: file, signal });
}

async function send<T>(path: string, init: RequestInit): Promise<T> {
  const response = await fetch(Base + path, { ...init, credentials: "same-origin" });
  const text = await response.text();
  if (response.ok && isForeign(response)) throw foreign();
  // A password that is refused at the sign-in ends no session.
  if (response.status === 401 && !(init.method === "POST" && path === "/session")) askWhoIsThere();
  if (!response.ok) throw tellsProblem(response) && text ? JSON.parse(text) : bareProblem(response);
  return (text ? JSON.parse(text) : undefined) as T;
}
