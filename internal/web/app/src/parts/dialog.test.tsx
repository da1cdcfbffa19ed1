import { MantineProvider } from "@mantine/core";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { describe, expect, it } from "vitest";
import { Confirm } from "./confirm";

/** Keys is a list from whose rows one can be taken out. */
function Keys({ framed }: { framed: boolean }) {
  const [keys, setKeys] = useState(["CI", "laptop"]);
  const rows = keys.map((key) => (
    <Confirm key={key} title={`Revoke “${key}”?`} verb="Revoke it" act={async () => setKeys((all) => all.filter((other) => other !== key))} ask={(open) => <button type="button" onClick={open}>Revoke {key}</button>}>
      It cannot be undone.
    </Confirm>
  ));
  return (
    <main id="main" tabIndex={-1}>
      {framed ? <div role="region" aria-label="Keys" tabIndex={0}>{rows}</div> : rows}
    </main>
  );
}

async function revoke(framed: boolean) {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider env="test">
        <Keys framed={framed} />
      </MantineProvider>
    </QueryClientProvider>,
  );
  const button = screen.getByRole("button", { name: "Revoke CI" });
  button.focus();
  fireEvent.click(button);
  fireEvent.click(await screen.findByRole("button", { name: "Revoke it" }));
  await waitFor(() => expect(screen.queryByRole("button", { name: "Revoke CI" })).toBeNull());
}

describe("the focus, when what opened a dialog is gone with it", () => {
  it("goes to what it stood in", async () => {
    await revoke(true);
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("region", { name: "Keys" })));
  });

  it("goes to the page where that cannot have it", async () => {
    await revoke(false);
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("main")));
  });
});
