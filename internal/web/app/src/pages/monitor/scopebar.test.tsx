import { fireEvent, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { Routed } from "../../parts/routed";
import { ScopeBar } from "./scopebar";

it.each(["Back to the latest", "Show all values"])("leaves the focus in the bar when what it was narrowed to is cleared: %s", (name) => {
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  const { rerender } = render(<Routed><ScopeBar scope={{ from: 0, until: 3_600_000, dim: "model", value: "a" }} /></Routed>);
  screen.getByRole("button", { name }).focus();
  fireEvent.click(screen.getByRole("button", { name }));
  rerender(<Routed><ScopeBar scope={{}} /></Routed>);
  expect(document.activeElement).toBe(screen.getByRole("combobox", { name: "Agent" }));
});
