import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { Routed } from "../../parts/routed";
import { Trial } from "./trial";

const calls = ["call_1", "call_2", "call_3"].map((id) => ({ id, agent_id: null, origin: "production", verdict: "passed", duration_ms: 1000, created_at: 1, started_at: 1 }));
const draft = { kind: "say", name: "", optional: false, params: { phrase: "a" } };

/** tried are the calls that the service was asked to try the scorer on, each with what gives the answer. */
let tried: { id: string; answer: (status: number, body: object) => void }[];
const refused = vi.fn();

beforeEach(() => {
  tried = [];
  refused.mockClear();
  vi.stubGlobal("fetch", (asked: Request | string, init?: RequestInit) => {
    if (typeof asked !== "string") return Promise.resolve(new Response(JSON.stringify({ data: asked.url.includes("/calls") ? calls : [], next_cursor: null }), { headers: { "content-type": "application/json" } }));
    return new Promise((done) => tried.push({
      id: (JSON.parse(String(init?.body)) as { call_id: string }).call_id,
      answer: (status, body) => done(new Response(JSON.stringify(body), { status, headers: { "content-type": "application/problem+json" } })),
    }));
  });
});

const trial = (phrase: string) => <Routed><Trial draft={{ ...draft, params: { phrase } }} refused={refused} /></Routed>;
const score = { score: { verdict: "passed", reason: "", value: null, unit: null, evidence: [] } };

async function tryAll() {
  const shown = render(trial("a"));
  await screen.findByLabelText("Try on call_1");
  fireEvent.click(screen.getByRole("button", { name: "Try on all below" }));
  await waitFor(() => expect(tried.map(({ id }) => id)).toEqual(["call_1"]));
  return shown;
}

it("tries one call after the other", async () => {
  await tryAll();
  await act(async () => tried[0]?.answer(200, score));
  await waitFor(() => expect(tried.map(({ id }) => id)).toEqual(["call_1", "call_2"]));
});

it("tries no further call once the page is left", async () => {
  const { unmount } = await tryAll();
  unmount();
  await act(async () => tried[0]?.answer(200, score));
  expect(tried.map(({ id }) => id)).toEqual(["call_1"]);
});

it("tries no further call with settings that are others meanwhile, and blames none of the new ones", async () => {
  const { rerender } = await tryAll();
  rerender(trial("b"));
  await act(async () => tried[0]?.answer(422, { status: 422, code: "invalid_fields", errors: [{ path: "body.params.phrase", message: "is too short" }] }));
  expect([tried.length, refused.mock.calls.length]).toEqual([1, 0]);
});

it("tries no further call, and offers none of those that were listed, once calls of another kind are asked for", async () => {
  await tryAll();
  vi.stubGlobal("fetch", () => new Promise(() => undefined)); // nobody knows yet which calls those are
  fireEvent.change(screen.getByLabelText("Filter calls"), { target: { value: "simulated" } });
  await act(async () => tried[0]?.answer(200, score));
  expect(tried.length).toBe(1);
  expect(screen.queryByLabelText("Try on call_2")).toBeNull();
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Try on all below" }).disabled).toBe(true);
});
