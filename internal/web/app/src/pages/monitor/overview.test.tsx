import { fireEvent, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { Routed } from "../../parts/routed";
import { NoCalls } from "./overview";
import { ScopeBar } from "./scopebar";

it("leaves the focus on the page when the way back to all calls is taken, which is gone then", () => {
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  render(<Routed><ScopeBar scope={{ agent: "agt_1" }} still /><NoCalls scope={{ agent: "agt_1" }} /></Routed>);
  const link = screen.getByRole("link", { name: "Show all calls" });
  link.focus();
  fireEvent.click(link);
  expect(document.activeElement).toBe(screen.getByRole("combobox", { name: "Agent" }));
});
