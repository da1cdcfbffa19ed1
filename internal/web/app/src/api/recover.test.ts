import { QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { queryClient } from "./client";
import { Pace, recovering } from "./recover";

const broken = { status: 503, code: "unavailable", title: "not now" };

let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  stop = recovering();
});

afterEach(() => {
  stop();
  queryClient.clear();
  vi.useRealTimers();
});

/** watch opens a page's question, and gives what the page shows of it and every state that it had. */
function watch(queryFn: () => Promise<string>, retry: number | boolean = false) {
  const observer = new QueryObserver<string>(queryClient, { queryKey: ["asked"], queryFn, retry });
  const seen: string[] = [];
  const close = observer.subscribe(({ status }) => seen.push(status));
  return { now: () => observer.getCurrentResult(), seen, close };
}

describe("recovering", () => {
  it("leaves an error where it can be read until there is an answer", async () => {
    let answers = false;
    const ask = vi.fn(() => (answers ? Promise.resolve("here") : Promise.reject(broken)));
    const page = watch(ask);
    await vi.advanceTimersByTimeAsync(10);
    expect(page.now().error).toEqual(broken);
    page.seen.length = 0;
    await vi.advanceTimersByTimeAsync(3 * Pace);
    expect(ask).toHaveBeenCalledTimes(4);
    expect(page.seen).toEqual([]);
    answers = true;
    await vi.advanceTimersByTimeAsync(Pace);
    expect(page.now()).toMatchObject({ data: "here", error: null });
    ask.mockClear();
    await vi.advanceTimersByTimeAsync(2 * Pace);
    expect(ask).not.toHaveBeenCalled();
    page.close();
  });

  it("waits for a service that takes longer than the pace, and does not ask it a second time", async () => {
    let broke = true;
    const ask = vi.fn(() => (broke ? Promise.reject(broken) : new Promise<string>((done) => setTimeout(done, 3 * Pace, "late"))));
    const page = watch(ask);
    await vi.advanceTimersByTimeAsync(10);
    broke = false;
    ask.mockClear();
    await vi.advanceTimersByTimeAsync(3 * Pace);
    expect(ask).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(5 * Pace);
    expect(page.now()).toMatchObject({ data: "late", error: null });
    expect(ask).toHaveBeenCalledTimes(2);
    page.close();
  });

  it("asks no more what a page does not show any longer, or what was refused for good", async () => {
    const ask = vi.fn(() => Promise.reject({ ...broken, status: 422 }));
    const page = watch(ask);
    await vi.advanceTimersByTimeAsync(2 * Pace);
    expect(ask).toHaveBeenCalledTimes(1);
    page.close();
    const other = watch(vi.fn(() => Promise.reject(broken)));
    other.close();
    await vi.advanceTimersByTimeAsync(2 * Pace);
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it("shows why a question is refused that could not be answered before", async () => {
    let status = 503;
    const page = watch(() => Promise.reject({ ...broken, status }));
    await vi.advanceTimersByTimeAsync(10);
    status = 404;
    await vi.advanceTimersByTimeAsync(Pace);
    expect(page.now().error).toMatchObject({ status: 404 });
    page.close();
  });
});
