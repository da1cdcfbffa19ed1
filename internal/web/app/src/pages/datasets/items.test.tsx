import { render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { queryClient } from "../../api/client";
import { Routed } from "../../parts/routed";
import { Neighbours } from "./editorbar";
import { useOrder } from "./items";

afterEach(() => queryClient.clear());

/** pages are three pages of two items each. */
function pages() {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    const cursor = new URL(request.url).searchParams.get("cursor") || "0";
    asked.push(cursor);
    const at = Number(cursor);
    const data = [{ id: `di_${at}` }, { id: `di_${at + 1}` }];
    return new Response(JSON.stringify({ data, next_cursor: at < 4 ? String(at + 2) : null }), { headers: { "content-type": "application/json" } });
  });
  return asked;
}

function Shown({ item }: { item: string }) {
  return <Neighbours itemID={item} order={useOrder("ds_1", undefined, item)} go={() => undefined} total={6} />;
}

it.each([
  ["the first", "di_0", ["0"], "1 of 6", false],
  ["the last of what is read first", "di_1", ["0", "2"], "2 of 6", false],
  ["one that a link leads to", "di_4", ["0", "2", "4"], "5 of 6", false],
  ["the last", "di_5", ["0", "2", "4"], "6 of 6", true],
  ["one that is gone", "di_9", ["0", "2", "4"], "", true],
  ["a new one", "new", ["0"], "New scenario", true],
])("reads on to the scenario behind %s, and no further", async (_, item, wanted, place, last) => {
  const asked = pages();
  render(<Routed><Shown item={item} /></Routed>);
  await vi.waitFor(() => expect(asked).toEqual(wanted));
  if (place) await screen.findByText(place);
  await vi.waitFor(() => expect(screen.getByRole<HTMLButtonElement>("button", { name: "Next scenario" }).disabled).toBe(last));
  expect(asked).toEqual(wanted);
});
