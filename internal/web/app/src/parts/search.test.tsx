import { MantineProvider } from "@mantine/core";
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider, useSearch } from "@tanstack/react-router";
import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { useChange } from "./go";
import { holdsWords, Search } from "./search";

function List() {
  const { q } = useSearch({ strict: false }) as { q?: string };
  const change = useChange<{ q?: string }>();
  return <Search label="Search things" value={q} change={(next) => change({ q: next }, true)} />;
}

async function show() {
  const router = createRouter({ routeTree: createRootRoute({ component: List }), history: createMemoryHistory() });
  render(<MantineProvider env="test"><RouterProvider router={router as never} /></MantineProvider>);
  const field = await screen.findByRole<HTMLInputElement>("searchbox");
  return { router, field, type: (value: string) => fireEvent.change(field, { target: { value } }) };
}

it("keeps what is typed while the address is still on its way", async () => {
  const { router, field, type } = await show();
  type("a");
  expect(field.value).toBe("a");
  type("ab");
  expect(field.value).toBe("ab");
  await waitFor(() => expect(router.state.location.search).toEqual({ q: "ab" }));
  await act(async () => undefined);
  expect(field.value).toBe("ab");
});

it("shows what the address says when something else has changed it", async () => {
  const { router, field, type } = await show();
  type("ab");
  await waitFor(() => expect(router.state.location.search).toEqual({ q: "ab" }));
  await act(() => router.navigate({ to: ".", search: { q: "other" } } as never));
  await waitFor(() => expect(field.value).toBe("other"));
  await act(() => router.navigate({ to: ".", search: {} } as never));
  await waitFor(() => expect(field.value).toBe(""));
});

it("finds texts that hold all the words", () => {
  expect([holdsWords("desk front", "Front desk", null), holdsWords("front door", "Front desk"), holdsWords(undefined, "")]).toEqual([true, false, true]);
});
