import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { queryClient } from "../../api/client";
import { Pace, recovering } from "../../api/recover";
import { type Chosen, ItemFile } from "./file";

/** answers are what the service says of the files that wait for it, by what is in them. */
let answers: Map<string, (report: object) => void>;
let taken: Chosen | null;

beforeEach(() => {
  answers = new Map();
  taken = null;
  vi.stubGlobal("fetch", async (_: string, { body, signal }: { body: Blob; signal?: AbortSignal }) => {
    const words = await body.text();
    return new Promise((done, failed) => {
      signal?.addEventListener("abort", () => failed(signal.reason));
      answers.set(words, (report) => done(new Response(JSON.stringify(report), { status: "status" in report ? Number(report.status) : 200, headers: { "content-type": "application/problem+json" } })));
    });
  });
});

function show(): HTMLInputElement {
  const { container } = render(
    <QueryClientProvider client={queryClient}>
      <MantineProvider env="test">
        <ItemFile take={(chosen) => (taken = chosen)} />
      </MantineProvider>
    </QueryClientProvider>,
  );
  return container.querySelector("input[type=file]") as HTMLInputElement;
}

function choose(input: HTMLInputElement, name: string) {
  fireEvent.change(input, { target: { files: [new File([name], name, { lastModified: 1 })] } });
}

const fine = { item_count: 1, items: [{ key: "a" }], problems: [] };
const bad = { item_count: 0, items: [], problems: [{ line: 1, path: "gaol", message: "is not known" }] };

it("takes no file that was answered for after another one has been chosen", async () => {
  const input = show();
  choose(input, "first.csv");
  await waitFor(() => expect(answers.has("first.csv")).toBe(true));
  choose(input, "second.csv");
  await waitFor(() => expect(answers.has("second.csv")).toBe(true));
  answers.get("second.csv")?.(bad);
  await screen.findByText(/^1 problem/);
  answers.get("first.csv")?.(fine);
  await new Promise((passed) => setTimeout(passed));
  expect(taken).toBeNull();
});

it("takes no file that the service could not answer for at first, and did once another one had been chosen", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const stop = recovering();
  const input = show();
  choose(input, "first.csv");
  await waitFor(() => expect(answers.has("first.csv")).toBe(true));
  answers.get("first.csv")?.({ status: 503, code: "unavailable" });
  await screen.findByRole("alert");
  answers.clear();
  await act(() => vi.advanceTimersByTimeAsync(Pace)); // the first file is asked about again
  await waitFor(() => expect(answers.has("first.csv")).toBe(true));
  choose(input, "second.csv");
  await waitFor(() => expect(answers.has("second.csv")).toBe(true));
  answers.get("second.csv")?.(bad);
  await screen.findByText(/^1 problem/);
  await act(async () => answers.get("first.csv")?.(fine));
  await act(() => vi.advanceTimersByTimeAsync(10));
  expect(taken).toBeNull();
  stop();
  vi.useRealTimers();
});

it("has the browser forget the file, so that it tells when the same one is chosen again", async () => {
  const input = show();
  const forgotten = vi.fn();
  Object.defineProperty(input, "value", { set: forgotten, configurable: true });
  choose(input, "mended.csv");
  expect(forgotten).toHaveBeenCalledWith("");
  await waitFor(() => expect(answers.has("mended.csv")).toBe(true));
  answers.get("mended.csv")?.(fine);
  await screen.findByText("The file is fine.");
  expect(taken?.file.name).toBe("mended.csv");
  answers.clear();
  choose(input, "mended.csv");
  expect(taken).toBeNull();
  await waitFor(() => expect(answers.has("mended.csv")).toBe(true));
  answers.get("mended.csv")?.(fine);
  await waitFor(() => expect(taken?.file.name).toBe("mended.csv"));
});

it("says of a file without anything in it that it is empty, and does not ask", async () => {
  const input = show();
  fireEvent.change(input, { target: { files: [new File([], "nothing.csv")] } });
  expect((await screen.findByRole("alert")).textContent).toBe("The file is empty.");
  expect([answers.size, taken]).toEqual([0, null]);
});

it("keeps the file when words are dropped on it, and takes none of several", async () => {
  const input = show();
  choose(input, "mine.csv");
  await waitFor(() => expect(answers.has("mine.csv")).toBe(true));
  answers.get("mine.csv")?.(fine);
  await waitFor(() => expect(taken?.file.name).toBe("mine.csv"));
  const place = screen.getByText("mine.csv");
  fireEvent.drop(place, { dataTransfer: { files: [] } });
  expect(taken?.file.name).toBe("mine.csv");
  fireEvent.drop(place, { dataTransfer: { files: [new File(["a"], "a.csv"), new File(["b"], "b.csv")] } });
  expect(screen.getByRole("alert").textContent).toMatch(/^One file at a time/);
  expect(taken?.file.name).toBe("mine.csv");
});
