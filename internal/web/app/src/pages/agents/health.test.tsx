import { act, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { queryClient } from "../../api/client";
import { problemOf } from "../../api/problem";
import { Routed } from "../../parts/routed";
import { AgentHealth, useHealth } from "./health";

function Shown() {
  const { of, error } = useHealth();
  return (
    <p role="status">
      <AgentHealth id="agt_1" health={of("agt_1")} /> {error != null && problemOf(error).title}
    </p>
  );
}

function show(answer: Promise<Response>) {
  vi.stubGlobal("fetch", () => answer);
  queryClient.setDefaultOptions({ queries: { ...queryClient.getDefaultOptions().queries, retry: false } });
  render(
    <Routed>
      <Shown />
    </Routed>,
  );
  return screen.getByRole("status");
}

it("says that there were no calls when the service has said so, and not before", async () => {
  let answer: (response: Response) => void = () => undefined;
  const shown = show(new Promise((done) => (answer = done)));
  expect(shown.textContent).toBe("– ");
  await act(async () => answer(new Response(JSON.stringify({ agents: [] }), { headers: { "content-type": "application/json" } })));
  await screen.findByText("no calls in 24 h");
});

it("does not know when the service does not answer, and says why", async () => {
  const shown = show(Promise.reject(new TypeError("Failed to fetch")));
  await screen.findByText(/The service does not answer/);
  expect(shown.textContent).not.toContain("no calls");
});
