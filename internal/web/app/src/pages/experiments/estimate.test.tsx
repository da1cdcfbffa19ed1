import { render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { Routed } from "../../parts/routed";
import { Estimate } from "./estimate";

const show = (answer: () => Promise<Response>) => {
  vi.stubGlobal("fetch", answer);
  render(<Routed><Estimate agent="agt_1" body={{ dataset_id: "ds_1", to_number: "+15550100" }} /></Routed>);
};

it("tells why a run would be refused", async () => {
  const refused = { status: 422, code: "invalid_fields", errors: [{ path: "to_number", message: "is not a number" }] };
  show(async () => new Response(JSON.stringify(refused), { status: 422, headers: { "content-type": "application/problem+json" } }));
  await screen.findByText(/The run cannot be started like this: to_number is not a number/);
});

it("does not say so of a service that does not answer", async () => {
  show(() => Promise.reject(new TypeError("Failed to fetch")));
  await screen.findByText(/The service does not answer/);
  expect(screen.queryByText(/cannot be started like this/)).toBeNull();
});

it("writes how long a run takes so that it is not read as a time of day", async () => {
  const estimate = { calls: 40, minutes: { low: 60, high: 90 }, seconds_until_done: { low: 960, high: 4800 }, cost: null, notes: [] };
  show(async () => new Response(JSON.stringify(estimate), { headers: { "content-type": "application/json" } }));
  await screen.findByText("16 min to 1 h 20 min");
});
