import { fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { expect, it, vi } from "vitest";
import { Routed } from "../../parts/routed";
import type { Filter } from "./filter";
import { FilterBar } from "./filterbar";

function Bar() {
  const [filter, setFilter] = useState<Filter>({});
  return <FilterBar filter={filter} change={(part) => setFilter({ ...filter, ...part })} clear={() => setFilter({})} name={(id) => id} />;
}

it("keeps the focus in the search field when Enter has searched, and empties the field when the filter is taken away", () => {
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  render(<Routed><Bar /></Routed>);
  const field = screen.getByRole<HTMLInputElement>("searchbox");
  field.focus();
  fireEvent.change(field, { target: { value: "call_1 " } });
  fireEvent.submit(field.closest("form") as HTMLFormElement);
  expect(document.activeElement).toBe(screen.getByRole("searchbox"));
  expect(screen.getByRole<HTMLInputElement>("searchbox").value).toBe("call_1");
  fireEvent.click(screen.getByRole("button", { name: "Remove search: call_1" }));
  expect(screen.getByRole<HTMLInputElement>("searchbox").value).toBe("");
});
