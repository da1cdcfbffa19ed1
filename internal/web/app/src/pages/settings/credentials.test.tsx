import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { Routed } from "../../parts/routed";
import { Page } from "./credentials";

/** show answers with a list of what the forms send to the service, to which they add. */
function show(): Record<string, string>[] {
  const sent: Record<string, string>[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation((_, init) => {
    if (typeof init?.body === "string") sent.push(JSON.parse(init.body) as Record<string, string>);
    return Promise.resolve(new Response(`{"data":[]}`, { headers: { "content-type": "application/json" } }));
  });
  render(<Routed><Page /></Routed>);
  return sent;
}

it("is shown when both lists are there, so that no form moves when the one above it has its list", async () => {
  const answers: (() => void)[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(() => new Promise((done) => answers.push(() => done(new Response(`{"data":[]}`, { headers: { "content-type": "application/json" } })))));
  render(<Routed><Page /></Routed>);
  await waitFor(() => expect(answers).toHaveLength(2));
  expect(screen.queryAllByRole("region")).toHaveLength(0);
  for (const answer of answers) answer();
  await screen.findByRole("region", { name: "Voice platforms" });
  expect(screen.getAllByText(/^None saved/)).toHaveLength(2);
  expect(screen.queryByRole("status", { name: "Loading" })).toBeNull();
});

it("takes no blanks along that were pasted around a secret, which nobody can see there", async () => {
  const sent = show();
  const write = (section: HTMLElement, label: RegExp, value: string) => fireEvent.change(within(section).getByLabelText(label, { selector: "input" }), { target: { value } });
  const recordings = await screen.findByRole("region", { name: "Private recordings" });
  write(recordings, /^Host/, " recordings.example.com\t");
  write(recordings, /^Name/, "Authorization ");
  write(recordings, /^Secret/, "Bearer abc ");
  fireEvent.click(within(recordings).getByRole("button", { name: "Save" }));
  const platforms = screen.getByRole("region", { name: "Voice platforms" });
  write(platforms, /^API key/, "\u00a0key_abc ");
  fireEvent.click(within(platforms).getByRole("button", { name: "Save" }));
  await waitFor(() => expect(sent).toEqual([{ host: "recordings.example.com", value: "Bearer abc", header: "Authorization" }, { api_key: "key_abc" }]));
});
