import { fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { expect, it, vi } from "vitest";
import { Routed } from "../../parts/routed";
import { ItemChoice } from "./itemchoice";

function Choice() {
  const [chosen, choose] = useState(["item_1"]);
  return <ItemChoice dataset="ds_1" chosen={chosen} choose={choose} error={undefined} />;
}

it("leaves the focus beside the button that chooses all, which is gone then", async () => {
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify({ data: [{ id: "item_1", key: "one" }], next_cursor: null }), { headers: { "content-type": "application/json" } }));
  render(<Routed><Choice /></Routed>);
  const all = await screen.findByRole("button", { name: "Choose all" });
  all.focus();
  fireEvent.click(all);
  expect(all.isConnected).toBe(false);
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Hide the list" }));
});
