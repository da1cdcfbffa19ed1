import { afterEach, describe, expect, it, vi } from "vitest";
import { api, queryClient, request, upload } from "./client";
import { isTransient, problemOf } from "./problem";

afterEach(() => {
  vi.restoreAllMocks();
});

/** answering has every question answered so. */
const answering = (body: string | null, type: string, status = 200) =>
  vi.spyOn(globalThis, "fetch").mockImplementation(() => Promise.resolve(new Response(body, { status, headers: type ? { "content-type": type } : {} })));

/** thrown is what a person is told of what was asked. */
const thrown = (asked: Promise<unknown>) => asked.then(() => undefined, (error: unknown) => problemOf(error));

const page = "<!doctype html><h1>Please sign in to the network</h1>";

describe("an answer with a page, which a proxy gives in place of the service's", () => {
  it("is nothing that was saved", async () => {
    answering(page, "text/html");
    for (const asked of [request("PATCH", "/session/person", { name: "Ann" }), request("DELETE", "/api-keys/key_1"), upload("POST", "/datasets/check", "[]")]) {
      expect(await thrown(asked)).toMatchObject({ code: "unreachable", title: "The answer did not come from Ringtrue" });
    }
  });
  it("is no list, and may be gone when one asks again", async () => {
    answering(page, "text/html");
    const problem = await thrown(api.GET("/agents"));
    expect(problem).toMatchObject({ code: "unreachable", title: "The answer did not come from Ringtrue" });
    expect(isTransient(problem)).toBe(true);
  });
});

describe("an answer that broke off", () => {
  it("is told in words", async () => {
    answering('{"data":[{"id":', "application/json");
    for (const asked of [request("GET", "/api-keys"), api.GET("/agents")]) {
      expect(await thrown(asked)).toMatchObject({ code: "unreachable", title: "The connection broke off in the middle of the answer" });
    }
  });
});

describe("an answer without a body", () => {
  it("says that it is done", async () => {
    answering(null, "", 204);
    expect(await request("DELETE", "/api-keys/key_1")).toBeUndefined();
    expect((await api.DELETE("/agents/{id}", { params: { path: { id: "a" } } })).error).toBeUndefined();
  });
});

describe("an error that a proxy tells in JSON of its own", () => {
  it("is told with its status, and is asked again only where that may help", async () => {
    answering('{"message":"blocked by policy"}', "application/json", 403);
    for (const asked of [request("GET", "/api-keys"), api.GET("/agents").then(({ error }) => Promise.reject(error))]) {
      const problem = await thrown(asked);
      expect(problem).toMatchObject({ status: 403, title: "The service answered 403" });
      expect(isTransient(problem)).toBe(false);
    }
  });
});

describe("an answer that nobody is signed in", () => {
  it("has the page ask who is, also when one's own name or workspace was to be changed, but not when a password was refused", async () => {
    answering('{"status":401,"code":"unauthenticated"}', "application/problem+json", 401);
    const asks = vi.spyOn(queryClient, "invalidateQueries");
    const asked = async (method: string, path: string) => {
      asks.mockClear();
      await thrown(request(method, path));
      return asks.mock.calls.length;
    };
    for (const [method, path] of [["GET", "/api-keys"], ["PATCH", "/session/person"], ["POST", "/session/password"], ["PATCH", "/session"], ["DELETE", "/session"]] as const) {
      expect(await asked(method, path), `${method} ${path}`).toBe(1);
    }
    expect(await asked("POST", "/session")).toBe(0);
  });
});
