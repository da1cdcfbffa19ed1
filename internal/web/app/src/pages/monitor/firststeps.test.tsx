import { render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { queryClient } from "../../api/client";
import { Routed } from "../../parts/routed";
import { FirstSteps } from "./firststeps";

/** show shows the steps where the service answers to each question as said. */
function show(answer: () => Promise<Response>) {
  vi.stubGlobal("fetch", answer);
  queryClient.setDefaultOptions({ queries: { ...queryClient.getDefaultOptions().queries, retry: false } });
  render(
    <Routed>
      <FirstSteps />
    </Routed>,
  );
}

it("says of nothing that it is still to do where the service does not answer", async () => {
  show(() => Promise.reject(new TypeError("Failed to fetch")));
  expect((await screen.findByRole("alert")).textContent).toContain("The service does not answer");
  expect(screen.queryAllByLabelText("To do")).toHaveLength(0);
  expect(screen.queryByText("No production calls yet")).toBeNull();
});

it("says what is to do in a workspace that has nothing", async () => {
  show(async () => new Response(JSON.stringify({ data: [], next_cursor: null }), { headers: { "content-type": "application/json" } }));
  await screen.findByText("No production calls yet");
  expect(await screen.findAllByLabelText("To do")).toHaveLength(4);
});
