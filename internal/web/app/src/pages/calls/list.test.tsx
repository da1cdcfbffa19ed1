import { QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { queryClient } from "../../api/client";
import { useCalls, useChoice } from "./list";
import type { Call } from "./types";

it("begins a stretch that ends now anew when a page that was open for hours reads its list again", async () => {
  const hour = 3_600_000;
  const asked: number[] = [];
  vi.stubGlobal("fetch", async ({ url }: Request) => {
    const { searchParams } = new URL(url, "http://localhost");
    if (searchParams.get("limit") !== "1") asked.push(Number(searchParams.get("from")));
    return new Response(JSON.stringify({ data: [], next_cursor: null }), { headers: { "content-type": "application/json" } });
  });
  const now = vi.spyOn(Date, "now").mockReturnValue(1000 * hour);
  const filter = { last: "1h" };
  const { result } = renderHook(() => useCalls(filter), { wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider> });
  await waitFor(() => expect(result.current.calls).toEqual([]));
  now.mockReturnValue(1005 * hour);
  await result.current.list.refetch();
  expect(asked).toEqual([999 * hour, 1004 * hour]);
});

const over = { status: "ENDED", scoring_status: "SCORED" };

it.each([["call_2", true], ["call_1", false]])("tells of a list that fits a page, too, whether newer calls have come: of %s %s", async (newest, newer) => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async ({ url }: Request) => {
    const one = new URL(url, "http://localhost").searchParams.get("limit") === "1";
    if (one) asked.push(newest);
    return new Response(JSON.stringify({ data: [{ ...over, id: one ? newest : "call_1" }], next_cursor: null }), { headers: { "content-type": "application/json" } });
  });
  const filter = {};
  const { result } = renderHook(() => useCalls(filter), { wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider> });
  await waitFor(() => expect([asked, queryClient.isFetching()]).toEqual([[newest], 0]));
  await waitFor(() => expect(result.current.newer).toBe(newer));
});

it("keeps the calls that were ticked under another filter when all that are shown are ticked, and unticked", () => {
  const listed = (...ids: string[]) => ids.map((id) => ({ id }) as Call);
  const { result, rerender } = renderHook(useChoice, { initialProps: listed("call_1", "call_2") });
  act(() => result.current.toggle("call_1"));
  rerender(listed("call_3", "call_4"));
  act(() => result.current.all());
  expect([...result.current.chosen]).toEqual(["call_1", "call_3", "call_4"]);
  act(() => result.current.all());
  expect([...result.current.chosen]).toEqual(["call_1"]);
});
