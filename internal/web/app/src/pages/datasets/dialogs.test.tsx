import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { Schemas } from "../../api/client";
import { Routed } from "../../parts/routed";
import { RenameDataset } from "./dialogs";

it("sends of a dataset what was written alone, for somebody else may have written the rest meanwhile", async () => {
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (_: string, { body }: RequestInit) => {
    sent.push(JSON.parse(String(body)));
    return new Response("{}", { headers: { "content-type": "application/json" } });
  });
  const close = vi.fn();
  const dialog = (description: string) => (
    <Routed>
      <RenameDataset dataset={{ id: "ds_1", name: "Clinic", description } as Schemas["Dataset"]} close={close} />
    </Routed>
  );
  const { rerender } = render(dialog("as it was"));
  fireEvent.change(screen.getByRole("textbox", { name: /^Name/ }), { target: { value: " Practice " } });
  rerender(dialog("theirs"));
  expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Description" }).value).toBe("theirs");
  fireEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(close).toHaveBeenCalled());
  expect(sent).toEqual([{ name: "Practice" }]);
});
