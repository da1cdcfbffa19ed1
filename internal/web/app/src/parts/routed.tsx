import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from "@tanstack/react-router";
import type { ReactNode } from "react";

/** Routed is what pages stand in, for tests: parts of them lead to other pages, or ask before one is left. */
export function Routed({ children }: { children: ReactNode }) {
  return <RouterContextProvider router={router as never}>{children}</RouterContextProvider>;
}

const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });
