import { MantineProvider } from "@mantine/core";
import { act, render, screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { Live } from "./live";

class Stream extends EventTarget {
  static last: Stream | undefined;
  closed = false;
  constructor(readonly url: string) {
    super();
    Stream.last = this;
  }
  close() {
    this.closed = true;
  }
  tell(message: object) {
    act(() => {
      this.dispatchEvent(new MessageEvent("live", { data: JSON.stringify(message) }));
    });
  }
}

describe("a running call", () => {
  it("is told as it goes on, and no other is", () => {
    vi.stubGlobal("EventSource", Stream);
    const { unmount } = render(
      <MantineProvider>
        <Live id="call_1" experiment="ve_1" />
      </MantineProvider>,
    );
    const message = { kind: "live", call_id: "call_1", state: "answered", t_ms: 2000, said: [{ speaker: "caller", text: "Good morning", start_ms: 500, end_ms: 1500 }] };
    Stream.last?.tell({ ...message, call_id: "call_2" });
    expect(screen.queryByText("Good morning")).toBeNull();
    Stream.last?.tell(message);
    Stream.last?.tell({ ...message, t_ms: 65_000, said: [{ speaker: "agent", text: "Hello", start_ms: 2500, end_ms: 0 }] });
    expect(screen.getByText("answered · 1:05")).toBeDefined();
    expect(screen.getByText("Good morning")).toBeDefined();
    expect(screen.getByText("Hello")).toBeDefined();
    expect(Stream.last?.url).toMatch(/voice_experiment_id=ve_1/);
    unmount();
    expect(Stream.last?.closed).toBe(true);
  });

  it("holds no connection while nobody sees it, and tells nothing twice to who comes back", () => {
    vi.stubGlobal("EventSource", Stream);
    const hidden = vi.spyOn(document, "hidden", "get");
    const look = (away: boolean) => {
      hidden.mockReturnValue(away);
      act(() => void document.dispatchEvent(new Event("visibilitychange")));
    };
    render(
      <MantineProvider>
        <Live id="call_1" experiment="ve_1" />
      </MantineProvider>,
    );
    const message = { kind: "live", call_id: "call_1", state: "answered", t_ms: 2000, said: [{ speaker: "caller", text: "Good morning", start_ms: 500, end_ms: 1500 }] };
    Stream.last?.tell(message);
    const first = Stream.last;
    look(true);
    expect(first?.closed).toBe(true);
    look(false);
    expect(Stream.last).not.toBe(first);
    Stream.last?.tell(message);
    expect(screen.getAllByText("Good morning").length).toBe(1);
  });

  it("begins anew with a second attempt", () => {
    vi.stubGlobal("EventSource", Stream);
    render(
      <MantineProvider>
        <Live id="call_1" experiment="ve_1" />
      </MantineProvider>,
    );
    const message = { kind: "live", call_id: "call_1", state: "answered", t_ms: 28_000, said: [{ speaker: "caller", text: "Good morning", start_ms: 500, end_ms: 1500 }] };
    Stream.last?.tell(message);
    Stream.last?.tell({ ...message, state: "dialing", t_ms: 0, said: [] });
    expect(screen.queryByText("Good morning")).toBeNull();
    Stream.last?.tell({ ...message, t_ms: 2000 });
    expect(screen.getAllByText("Good morning").length).toBe(1);
  });

  it("has what was said read out, and not the clock", () => {
    vi.stubGlobal("EventSource", Stream);
    render(
      <MantineProvider>
        <Live id="call_1" experiment={null} />
      </MantineProvider>,
    );
    Stream.last?.tell({ kind: "live", call_id: "call_1", state: "answered", t_ms: 2000, said: [{ speaker: "caller", text: "Good morning", start_ms: 500, end_ms: 1500 }] });
    expect(screen.getByText("answered · 0:02").closest("[aria-live], [role=log], [role=status]")).toBeNull();
    expect(screen.getByText("Good morning").closest("[role=log]")).not.toBeNull();
  });
});
