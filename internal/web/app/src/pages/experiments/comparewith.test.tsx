import { render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { Routed } from "../../parts/routed";
import { CompareWith } from "./comparewith";
import type { Experiment } from "./figures";

const experiment = (n: number) => ({ id: `ve_${n}`, agent_id: null, dataset_id: "ds_1", created_at: n, started_at: n, verdict: "passed", status: "FINISHED", counts: { passed: 1, failed: 0 } });

it("draws all experiments, since the window does not scroll below a dialog", async () => {
  const list = Array.from({ length: 90 }, (_, n) => experiment(n + 1));
  vi.stubGlobal("fetch", async ({ url }: Request) => new Response(JSON.stringify({ data: url.includes("/voice-experiments") ? list : [], next_cursor: null }), { headers: { "content-type": "application/json" } }));
  render(<Routed><CompareWith e={experiment(0) as unknown as Experiment} close={() => undefined} /></Routed>);
  await screen.findByRole("table");
  expect(screen.getAllByRole("row")).toHaveLength(91);
});
