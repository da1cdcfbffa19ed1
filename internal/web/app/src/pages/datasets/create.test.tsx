import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { Routed } from "../../parts/routed";
import { NewDataset } from "./create";

const json = (body: object, status = 200) => new Response(JSON.stringify(body), { status, headers: { "content-type": "application/problem+json" } });

it("gives a dataset whose import failed the name that is written when it is tried again, and makes no second one", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (path: string, { method, body }: RequestInit) => {
    if (path.includes("/check")) return json({ item_count: 1, items: [{ key: "a" }], problems: [] });
    asked.push(`${method} ${path.replace(/^.*\/rest/, "")}${typeof body === "string" ? ` ${body}` : ""}`);
    if (path.includes("/import")) return json({ status: 503, code: "unavailable", title: "busy" }, 503);
    return json({ id: "ds_1" });
  });
  render(<Routed><NewDataset close={() => undefined} /></Routed>);
  const name = await screen.findByRole("textbox", { name: /^Name/ });
  fireEvent.change(document.querySelector("input[type=file]") as Element, { target: { files: [new File(["x"], "first.csv")] } });
  await screen.findByText("The file is fine.");
  await act(async () => undefined); // the form is told of it
  fireEvent.click(screen.getByRole("button", { name: "Create and import" }));
  await waitFor(() => expect(asked).toHaveLength(2));
  await screen.findByText("Busy");
  fireEvent.change(name, { target: { value: "second" } });
  fireEvent.click(screen.getByRole("button", { name: "Create and import" }));
  await waitFor(() => expect(asked.slice(2)).toEqual(['PATCH /datasets/ds_1 {"name":"second","description":""}', "POST /datasets/ds_1/import?format=csv&mode=replace"]));
  expect(asked[0]).toBe('POST /datasets {"name":"first","description":""}');
});
