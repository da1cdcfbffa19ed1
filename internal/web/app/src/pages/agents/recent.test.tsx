import { act, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { queryClient } from "../../api/client";
import { Routed } from "../../parts/routed";
import { RecentCalls, RecentExperiments } from "./recent";

for (const Recent of [RecentCalls, RecentExperiments]) {
  it(`says that the service does not answer above what was there before: ${Recent.name}`, async () => {
    let gone = false;
    vi.stubGlobal("fetch", async () => {
      if (gone) throw new TypeError("Failed to fetch");
      return new Response(JSON.stringify({ data: [], next_cursor: null }), { headers: { "content-type": "application/json" } });
    });
    queryClient.setDefaultOptions({ queries: { ...queryClient.getDefaultOptions().queries, retry: false } });
    render(
      <Routed>
        <Recent agent="agt_1" empty="None so far" />
      </Routed>,
    );
    await screen.findByText("None so far");
    gone = true;
    await act(() => queryClient.refetchQueries());
    expect((await screen.findByRole("alert")).textContent).toContain("The service does not answer");
    expect(screen.getByText("None so far")).toBeDefined();
  });
}
