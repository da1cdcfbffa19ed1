import { fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { expect, it, vi } from "vitest";
import { Routed } from "../../parts/routed";
import type { Filter } from "./filter";
import { FilterBar } from "./filterbar";

function Bar({ begin = {} }: { begin?: Filter }) {
  const [filter, setFilter] = useState<Filter>(begin);
  return <FilterBar filter={filter} change={(part) => setFilter({ ...filter, ...part })} clear={() => setFilter({})} name={(id) => id} />;
}

it("keeps the focus in the search field when Enter has searched, and empties the field when the filter is taken away", () => {
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  render(<Routed><Bar begin={{ origin: "production" }} /></Routed>);
  const field = screen.getByRole<HTMLInputElement>("searchbox");
  field.focus();
  fireEvent.change(field, { target: { value: "call_1 " } });
  fireEvent.submit(field.closest("form") as HTMLFormElement);
  expect(document.activeElement).toBe(screen.getByRole("searchbox"));
  expect(screen.getByRole<HTMLInputElement>("searchbox").value).toBe("call_1");
  fireEvent.click(screen.getByRole("button", { name: "Clear all" }));
  expect(screen.getByRole<HTMLInputElement>("searchbox").value).toBe("");
});

it("leaves the focus beside a filter that is taken away by the keyboard, and in the search field without any", () => {
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  render(<Routed><Bar begin={{ origin: "production", verdict: "failed", status: "ENDED" }} /></Routed>);
  const chips = () => screen.getAllByRole("button", { name: /^Remove / });
  const focused = () => document.activeElement as HTMLElement;
  chips()[1]?.focus();
  for (const left of [2, 1]) {
    fireEvent.click(focused());
    expect(chips()).toHaveLength(left);
    expect(chips()).toContain(focused());
  }
  fireEvent.click(focused());
  expect(focused()).toBe(screen.getByRole("searchbox"));
});

it("leaves the focus in the search field when all filters are cleared by the keyboard", () => {
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  render(<Routed><Bar begin={{ origin: "production" }} /></Routed>);
  screen.getByRole("button", { name: "Clear all" }).focus();
  fireEvent.click(screen.getByRole("button", { name: "Clear all" }));
  expect(document.activeElement).toBe(screen.getByRole("searchbox"));
});
