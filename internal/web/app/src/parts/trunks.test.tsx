import { render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { Routed } from "./routed";
import { TrunkChoice } from "./trunks";

const show = () => render(<Routed><TrunkChoice value="main" choose={() => undefined} /></Routed>);

it("says nothing of trunks that the service has not told of yet", () => {
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  const { container } = show();
  expect(screen.getByRole<HTMLSelectElement>("combobox").value).toBe("main");
  expect(container.textContent).not.toMatch(/not configured|No trunk/);
});

it("says that a trunk is not configured when the service knows none of that name", async () => {
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify({ data: [] }), { headers: { "content-type": "application/json" } }));
  show();
  await screen.findByText("No trunk is configured: start the service with --trunk");
  expect(screen.getByRole("option", { name: "main (not configured here)" })).toBeDefined();
});
