import "@mantine/core/styles.css";
import "./shell/shell.css";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queryClient } from "./api/client";
import { router } from "./router";
import { sessionQuery } from "./shell/session";
import { theme, variables } from "./shell/theme";

// What the first page needs is fetched side by side, not one after the other.
void queryClient.prefetchQuery(sessionQuery);
void import("./shell/layout");
if (window.location.pathname === "/") void import("./pages/monitor/overview");

const place = document.getElementById("app");
if (place) {
  createRoot(place).render(
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={variables} defaultColorScheme="auto">
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}
