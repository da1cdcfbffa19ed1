import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, describe, it } from "node:test";
import { demo, eventually, fits, open, quit, violations } from "./service.mjs";

after(quit);

describe("a test run in media rooms", () => {
  it("is begun in the browser, met by an agent with the file, watched and read", async () => {
    const { dataset_id: dataset } = await demo();
    const { page, errors, close } = await open(`/experiments/new?dataset=${dataset}`);
    await page.getByText("Media rooms", { exact: true }).click();
    await page.getByLabel(/^Agent/).first().selectOption("");
    await page.getByRole("button", { name: "Choose some" }).click();
    await page.getByRole("group", { name: "Scenarios" }).getByRole("checkbox").first().check();
    await page.getByRole("button", { name: "Create the rooms" }).click();
    const table = page.getByRole("table", { name: "Rooms" });
    await table.waitFor({ timeout: 60_000 });
    await eventually(async () => assert.equal(await table.locator("tbody tr[data-index]").count(), 1));
    assert.deepEqual(await violations(page), []);
    await fits(page, "with the rooms");
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download as JSON" }).click()]);
    const path = join(await mkdtemp(join(tmpdir(), "ringtrue-rooms-")), "rooms.json");
    await file.saveAs(path);
    const [watching] = await Promise.all([page.context().waitForEvent("page"), page.getByRole("link", { name: "Watch the calls" }).click()]);
    const agent = spawn(process.env.RINGTRUE_BINARY, ["practice", "--rooms-from", path], { stdio: "ignore" });
    try {
      await watching.getByRole("region", { name: "Live" }).getByText("Caller", { exact: true }).first().waitFor({ timeout: 60_000 });
      await watching.getByRole("table", { name: "Scenarios and scorers" }).waitFor({ timeout: 120_000 });
      await watching.getByText("Met in rooms").waitFor();
      await watching.getByRole("region", { name: "Live" }).waitFor({ state: "hidden", timeout: 120_000 });
    } finally {
      agent.kill("SIGTERM");
      await rm(dirname(path), { recursive: true });
    }
    assert.deepEqual(errors, []);
    await close();
  });
});
