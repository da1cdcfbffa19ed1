import { fireEvent, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { Schemas } from "../../api/client";
import { Routed } from "../../parts/routed";
import { StartForm } from "./startform";

const agent = { id: "agt_1", name: "Desk", defaults: { to_number: "+15550100" } } as unknown as Schemas["Agent"];
const other = { ...agent, id: "agt_2", name: "Sales" };
const dataset = { id: "ds_1", name: "Bookings" };

/** show shows the form for an address, and answers with a list of the addresses of all that is sent. */
function show(asked: { agent?: string; dataset?: string }, agents = [agent, other]) {
  const sent: string[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    if (request.method === "POST") sent.push(new URL(request.url).pathname);
    return new Response(JSON.stringify({ data: [], next_cursor: null, voice_experiment_id: "exp_1" }), { headers: { "content-type": "application/json" } });
  });
  const form = (list: Schemas["Agent"][]) => <Routed><StartForm agents={list} datasets={[dataset, { id: "ds_2", name: "More" }]} asked={asked} made={vi.fn()} /></Routed>;
  const { rerender } = render(form(agents));
  return { sent, with: (list: Schemas["Agent"][]) => rerender(form(list)) };
}

const start = () => fireEvent.click(screen.getByRole("button", { name: "Start the calls" }));
const chosen = (label: RegExp) => screen.getByRole<HTMLSelectElement>("combobox", { name: label }).selectedOptions[0]?.textContent;

it("starts what the address asks for", async () => {
  const { sent } = show({ agent: "agt_1", dataset: "ds_1" });
  expect([chosen(/^Agent/), chosen(/^Dataset/)]).toEqual(["Desk", "Bookings"]);
  start();
  await vi.waitFor(() => expect(sent).toContain("/api/rest/voice-agent/agt_1/run"));
});

it("asks for an agent and a dataset where those of the address are deleted, and sends nothing before", async () => {
  const { sent } = show({ agent: "agt_0", dataset: "ds_0" });
  expect([chosen(/^Agent/), chosen(/^Dataset/)]).toEqual(["Choose an agent", "Choose a dataset"]);
  start();
  expect(screen.getByRole("combobox", { name: /^Agent/ }).getAttribute("aria-invalid")).toBe("true");
  expect(screen.getByRole("combobox", { name: /^Dataset/ }).getAttribute("aria-invalid")).toBe("true");
  expect(sent).toEqual([]);
});

it("asks for another agent when the chosen one is deleted meanwhile", () => {
  const shown = show({ agent: "agt_1", dataset: "ds_1" });
  shown.with([other]);
  start();
  expect(screen.getByRole("combobox", { name: /^Agent/ }).getAttribute("aria-invalid")).toBe("true");
  expect(shown.sent).not.toContain("/api/rest/voice-agent/agt_1/run");
});

it("lists the scenarios of another dataset without the search in the one before", async () => {
  const items = (dataset: string, n: number) => Array.from({ length: n }, (_, i) => ({ id: `${dataset}_${i}`, key: `${dataset}-${i}` }));
  vi.stubGlobal("fetch", async ({ url }: Request) => {
    const data = url.includes("/ds_1/items") ? items("first", 11) : url.includes("/ds_2/items") ? items("second", 2) : [];
    return new Response(JSON.stringify({ data, next_cursor: null }), { headers: { "content-type": "application/json" } });
  });
  render(<Routed><StartForm agents={[agent, other]} datasets={[dataset, { id: "ds_2", name: "More" }]} asked={{ dataset: "ds_1" }} made={vi.fn()} /></Routed>);
  fireEvent.click(await screen.findByRole("button", { name: "Choose some" }));
  fireEvent.change(await screen.findByLabelText("Search scenarios"), { target: { value: "first-3" } });
  fireEvent.change(screen.getByRole("combobox", { name: /^Dataset/ }), { target: { value: "ds_2" } });
  const open = screen.queryByRole("button", { name: "Choose some" });
  if (open) fireEvent.click(open);
  await screen.findByLabelText("second-1");
});
