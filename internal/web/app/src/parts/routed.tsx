import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { queryClient } from "../api/client";

/** Routed is what parts of pages need around them in tests: the query client, Mantine, and a router, for links and for asking before a page is left. */
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
