import { createMemoryHistory, createRootRoute, createRoute, createRouter, Link, Outlet, RouterProvider } from "@tanstack/react-router";
import { act, render, screen } from "@testing-library/react";
import { useState } from "react";
import { beforeEach, expect, it } from "vitest";
import { returning } from "./returning";

let rowsCome: () => void;
let late: boolean; // whether the rows of the list are there only when rowsCome is called

function List() {
  const [there, come] = useState(!late);
  rowsCome = () => come(true);
  return <main>{there && [1, 2].map((n) => <Link key={n} to={`/calls/${n}?turn=7` as string}>call {n}</Link>)}</main>;
}

async function app() {
  const root = createRootRoute({ component: () => <><nav><Link to={"/" as string}>List</Link></nav><Outlet /></> });
  const list = createRoute({ getParentRoute: () => root, path: "/", component: List });
  const call = createRoute({ getParentRoute: () => root, path: "/calls/$id", component: () => <main>a call</main> });
  const router = createRouter({ routeTree: root.addChildren([list, call]), history: createMemoryHistory() });
  const end = returning(router);
  render(<RouterProvider router={router as never} />);
  const second = await screen.findByText("call 2");
  second.focus();
  await act(async () => second.click());
  await screen.findByText("a call");
  expect(document.activeElement).toBe(document.body);
  return { end, back: () => act(async () => router.history.back()) };
}

beforeEach(() => {
  late = false;
});
it("gives the focus back to the link that was followed", async () => {
  const { end, back } = await app();
  await back();
  expect(document.activeElement).toBe(await screen.findByText("call 2"));
  end();
});

it("gives it back when the list is there", async () => {
  const { end, back } = await app();
  late = true;
  await back();
  await act(async () => rowsCome());
  expect(document.activeElement).toBe(await screen.findByText("call 2"));
  end();
});

it("takes it from nothing else", async () => {
  const { end, back } = await app();
  late = true;
  await back();
  screen.getByText("List").focus();
  await act(async () => rowsCome());
  await screen.findByText("call 2");
  expect(document.activeElement?.textContent).toBe("List");
  end();
});
