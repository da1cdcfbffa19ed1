import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { expect, it, vi } from "vitest";
import { queryClient } from "../../api/client";
import { Routed } from "../../parts/routed";
import { ScorerForm } from "./form";
import type { Draft } from "./params";

const kinds = { data: [{ kind: "say", summary: "", params: [{ name: "phrases", type: "array of strings", meaning: "", required: true }] }] };

function Form() {
  const [draft, change] = useState<Draft>({ kind: "say", name: "", optional: false, params: { phrases: ["a", "b"] } });
  return <ScorerForm draft={draft} change={change} fields={{}} readOnly={false} />;
}

it("leaves the focus beside a text that is removed", async () => {
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify(kinds), { headers: { "content-type": "application/json" } }));
  render(<Routed><Form /></Routed>);
  (await screen.findByLabelText("Remove Phrases 2")).focus();
  for (const left of ["Remove Phrases 1", null]) {
    fireEvent.click(document.activeElement as HTMLElement);
    await waitFor(() => expect(document.activeElement).not.toBe(document.body));
    expect(document.activeElement?.getAttribute("aria-label")).toBe(left);
  }
  expect(document.activeElement?.textContent).toBe("Add one");
});

it("shows the settings as JSON as they are, also after another kind is chosen", async () => {
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify({ data: [...kinds.data, { kind: "voicemail", summary: "", params: [] }] }), { headers: { "content-type": "application/json" } }));
  queryClient.clear();
  render(<Routed><Form /></Routed>);
  await screen.findByLabelText("Remove Phrases 2");
  fireEvent.click(screen.getByLabelText("Write the settings as JSON"));
  expect(screen.getByLabelText<HTMLTextAreaElement>("Settings").value).toContain("phrases");
  fireEvent.change(screen.getByLabelText("Kind"), { target: { value: "voicemail" } });
  expect(screen.getByLabelText<HTMLTextAreaElement>("Settings").value).toBe("{}");
});
