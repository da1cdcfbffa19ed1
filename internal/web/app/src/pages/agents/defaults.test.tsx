import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { Schemas } from "../../api/client";
import { Routed } from "../../parts/routed";
import { AgentForm, changedSince, changeOf } from "./defaults";

const agent = (name: string, to_number: string) => ({ id: "agt_1", name, sourceId: null, defaults: { to_number } }) as unknown as Schemas["Agent"];

const form = (shown: Schemas["Agent"]) => (
  <Routed>
    <AgentForm agent={shown} readOnly={false} />
  </Routed>
);

it("shows an agent as somebody else has made it meanwhile, but for what is written here", async () => {
  let sent: unknown;
  vi.stubGlobal("fetch", (_: string, init?: RequestInit) => {
    if (init?.method !== "PATCH") return new Promise(() => undefined);
    sent = JSON.parse(String(init.body));
    return Promise.resolve(new Response(JSON.stringify(agent("Mine", "+2")), { headers: { "content-type": "application/json" } }));
  });
  const { rerender } = render(form(agent("Desk", "+1")));
  const value = (name: RegExp) => screen.getByRole<HTMLInputElement>("textbox", { name }).value;
  fireEvent.change(screen.getByRole("textbox", { name: /^Name/ }), { target: { value: "Mine" } });
  rerender(form(agent("Theirs", "+2")));
  expect([value(/^Name/), value(/^Number/)]).toEqual(["Mine", "+2"]);
  fireEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(sent).toEqual({ name: "Mine", defaults: {} }));
  rerender(form(agent("Mine", "+2")));
  await screen.findByText("Saved");
  rerender(form(agent("Desk again", "+2")));
  expect(value(/^Name/)).toBe("Desk again");
});

describe("the change of an agent", () => {
  const draft = {
    name: " A ", sourceId: "", to_number: "", trunk: "t", caller_prompt: "", scorers: [], repetitions: "3", concurrent_calls: "", calls_per_second: "0.5", ring_timeout_ms: "", pass_threshold: "", min_evaluated: "",
  };
  it("takes emptied settings back to their default", () => {
    expect(changeOf(draft)).toEqual({
      name: "A", sourceId: "",
      defaults: { to_number: "", trunk: "t", caller_prompt: "", scorers: [], repetitions: 3, concurrent_calls: 0, calls_per_second: 0.5, ring_timeout_ms: 0, pass_threshold: 0, min_evaluated: 0 },
    });
  });
  it("is what was changed, and nothing that somebody else may have", () => {
    expect(changedSince(draft, draft)).toEqual({ defaults: {} });
    expect(changedSince(draft, { ...draft, name: "B", repetitions: "", scorers: ["greets"] })).toEqual({ name: "B", defaults: { repetitions: 0, scorers: ["greets"] } });
  });
});
