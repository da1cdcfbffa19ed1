import { fireEvent, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { Routed } from "../../parts/routed";
import { ScopeBar } from "./scopebar";
import { ScopeProblem } from "./scopeproblem";

const refused = (path: string, message: string) => ({ status: 422, code: "invalid_fields", detail: "some fields are not valid", errors: [{ path, message }] });
const chosen = { from: 1, until: 2 };

it.each([refused("query.from", "must be at least 1"), refused("from", "must not lie more than 800 days before until")])("says that the time in the address is refused, not which parameter", (error) => {
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  render(<Routed><ScopeBar scope={chosen} still /><ScopeProblem error={error} scope={chosen} /></Routed>);
  expect(screen.getByRole("alert").textContent).toContain("The time in the address cannot be shown");
  expect(screen.getByRole("alert").textContent).not.toMatch(/from|until/);
  screen.getByRole("button", { name: "Show the latest" }).focus();
  fireEvent.click(screen.getByRole("button", { name: "Show the latest" }));
  expect(document.activeElement).toBe(screen.getByRole("combobox", { name: "Agent" }));
});

it("says of everything else what the service says", () => {
  const { rerender } = render(<Routed><ScopeProblem error={refused("value", "needs a dimension")} scope={chosen} /></Routed>);
  expect(screen.getByRole("alert").textContent).toContain("needs a dimension");
  rerender(<Routed><ScopeProblem error={refused("query.from", "must be at least 1")} scope={{}} /></Routed>);
  expect(screen.getByRole("alert").textContent).toContain("must be at least 1");
});
