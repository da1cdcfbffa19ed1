import { fireEvent, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { Schemas } from "../../api/client";
import { Routed } from "../../parts/routed";
import { FromCalls } from "./calls";

const listed = { id: "call_02cd", status: "ENDED", verdict: "failed", duration_ms: 1000, created_at: 1, started_at: 1 };

it("lets ids be typed letter by letter, and adds to them the calls that are ticked", async () => {
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify({ data: [listed], next_cursor: null }), { headers: { "content-type": "application/json" } }));
  render(<Routed><FromCalls dataset={{ id: "ds_1", name: "Clinic" } as Schemas["Dataset"]} close={() => undefined} /></Routed>);
  const field = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Or call ids" });
  for (const value of ["c", "call", "call_01ab", "call_01ab\n"]) {
    fireEvent.change(field, { target: { value } });
    expect(field.value).toBe(value);
  }
  const tick = await screen.findByRole<HTMLInputElement>("checkbox", { name: /call_02cd/ });
  fireEvent.click(tick);
  expect(field.value).toBe("call_01ab\ncall_02cd");
  expect(screen.getByRole("button", { name: "Preview 2 scenarios" })).toBeDefined();
  fireEvent.click(tick);
  expect(field.value).toBe("call_01ab");
});
