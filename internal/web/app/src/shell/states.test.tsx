import { MantineProvider } from "@mantine/core";
import { createMemoryHistory, createRootRoute, createRoute, createRouter, Outlet, RouterProvider } from "@tanstack/react-router";
import { render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { NotFound, Nowhere, RouteProblem } from "./states";

/** open shows what the app has at an address: a page that cannot be drawn, one of a service that does not answer, and a frame in which there is no page. */
function open(path: string) {
  const root = createRootRoute({ component: Outlet, notFoundComponent: Nowhere });
  const faulty = createRoute({ getParentRoute: () => root, path: "/faulty", component: () => (undefined as unknown as () => null)() });
  const gone = createRoute({
    getParentRoute: () => root, path: "/gone",
    beforeLoad: () => {
      throw { status: 0, code: "unreachable", title: "The service does not answer" };
    },
  });
  const frame = createRoute({ getParentRoute: () => root, path: "/frame", component: () => <main><Outlet /></main> });
  const page = createRoute({ getParentRoute: () => frame, path: "/page", component: () => null });
  const router = createRouter({
    routeTree: root.addChildren([faulty, gone, frame.addChildren([page])]), history: createMemoryHistory({ initialEntries: [path] }),
    defaultErrorComponent: RouteProblem, defaultNotFoundComponent: NotFound,
  });
  render(<MantineProvider><RouterProvider router={router as never} /></MantineProvider>);
}

it("says of a page that cannot be drawn that the fault is the app's, not that nobody answers", async () => {
  vi.spyOn(console, "error").mockReturnValue();
  vi.spyOn(console, "warn").mockReturnValue();
  open("/faulty");
  const told = (await screen.findByRole("alert")).textContent;
  expect(told).toContain("This page cannot be shown");
  expect(told).not.toMatch(/does not answer|by itself/);
});

it("says of a service that does not answer that it is tried again", async () => {
  vi.spyOn(console, "error").mockReturnValue();
  vi.spyOn(console, "warn").mockReturnValue();
  open("/gone");
  expect((await screen.findByRole("alert")).textContent).toMatch(/The service does not answer.*by itself/);
});

it.each(["/nowhere", "/frame/nowhere"])("stands at %s in one main part of the page, under its own title", async (path) => {
  document.title = "Overview · Ringtrue";
  open(path);
  await screen.findByRole("heading", { level: 1 });
  expect(screen.getAllByRole("main")).toHaveLength(1);
  expect(document.title).toBe("Nothing at this address · Ringtrue");
});
