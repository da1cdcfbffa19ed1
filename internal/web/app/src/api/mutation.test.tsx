import { QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, it } from "vitest";
import { queryClient } from "./client";
import { useMutation } from "./mutation";

it("begins nothing while the same is under way, and may begin again when it is over, however it ended", async () => {
  const ends: { done: (value: string) => void; fail: (error: Error) => void }[] = [];
  const mutationFn = () => new Promise<string>((done, fail) => ends.push({ done, fail }));
  const { result } = renderHook(() => useMutation({ mutationFn }), { wrapper: ({ children }: { children: ReactNode }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider> });
  const press = () => act(async () => result.current.mutate());
  await act(async () => {
    result.current.mutate();
    result.current.mutate();
  });
  await press();
  expect(ends.length).toBe(1);
  await act(async () => ends[0]?.fail(new Error("no")));
  await press();
  expect(ends.length).toBe(2);
  await act(async () => result.current.reset()); // as somebody does who writes on
  await press();
  expect(ends.length).toBe(2);
  await act(async () => ends[1]?.done("yes"));
  await press();
  expect(ends.length).toBe(3);
});
