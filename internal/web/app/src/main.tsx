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

// The first page is drawn once, with what it shows, so that it does not flash; when that takes too long it is drawn as it loads.
const Patience = 250; // ms that the first drawing waits
void queryClient.prefetchQuery(sessionQuery);
await Promise.race([router.load(), new Promise((resolve) => setTimeout(resolve, Patience))]);

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
