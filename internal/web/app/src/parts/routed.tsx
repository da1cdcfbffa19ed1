import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { queryClient } from "../api/client";

/** Routed is what pages stand in, for tests: the client of the service, the theme, and a router, since parts of pages lead to others or ask before one is left. */
export function Routed({ children }: { children: ReactNode }) {
  return (
    <QueryClientProvider client={queryClient}>
      <MantineProvider env="test">
        <RouterContextProvider router={router as never}>{children}</RouterContextProvider>
      </MantineProvider>
    </QueryClientProvider>
  );
}

const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });
