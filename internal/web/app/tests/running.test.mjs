import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { demo, open, quit, request, url, violations } from "./service.mjs";

after(quit);

/** demo is the experiment that the demo ran: the oldest. */
describe("a test run that goes on", () => {
  it("shows calls as they go, and can be compared with the run before", async () => {
    const { id } = await demo();
    const { page, errors, close } = await open(`/experiments/${id}`);
    await page.getByRole("button", { name: "Run again" }).click();
    await page.getByRole("menuitem", { name: /did not pass/ }).click();
    await page.waitForURL((address) => !address.pathname.endsWith(id));
    const live = page.getByRole("region", { name: "Live" });
    await live.getByText("Caller", { exact: true }).first().waitFor({ timeout: 60_000 });
    // While calls are on the line and none is settled, the bar is empty.
    const progress = await live.evaluate((region) => ({
      settled: region.querySelector("[role=status]").textContent, widths: [...region.querySelectorAll("[role=progressbar]")].map((part) => part.getBoundingClientRect().width),
    }));
    assert.match(progress.settled, /^0 of \d+ settled$/);
    assert.deepEqual(progress.widths, [0]);
    assert.deepEqual(await violations(page), []);
    await page.getByRole("button", { name: "Cancel the run" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel the run" }).click();
    await page.getByRole("button", { name: "Compare" }).waitFor({ timeout: 30_000 });
    await live.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Compare" }).click();
    await page.getByRole("table", { name: "Experiments to compare with" }).getByRole("link").first().click();
    await page.waitForURL(/\/experiments\/compare\?base=ve_/);
    await page.getByText(/too little evidence/).first().waitFor();
    assert.deepEqual(errors, []);
    await close();
  });

  it("tells the repetitions of a scenario apart, however long its name is", async () => {
    const { agent_id: agent, dataset_id: dataset, to_number: to } = await demo();
    const { data: items } = await request("GET", `/datasets/${dataset}/items`);
    const { id: item } = items.find(({ key }) => key === "book-an-eye-test-in-one-breath");
    const run = await request("POST", `/voice-agent/${agent}/run`, { to_number: to, dataset_id: dataset, dataset_item_ids: [item], repetitions: 2 });
    const { page, close } = await open(`/experiments/${run.voice_experiment_id}`, { width: 390 });
    await page.getByText("No scenario has been evaluated in every repetition").waitFor();
    for (const nth of [1, 2]) {
      const words = page.getByRole("article").getByText(`(repetition ${nth})`);
      await words.waitFor({ timeout: 60_000 });
      assert.ok(await words.evaluate((shown) => {
        for (let around = shown.parentElement; around; around = around.parentElement) if (around.getBoundingClientRect().right < shown.getBoundingClientRect().right - 1) return false;
        return true;
      }), `repetition ${nth} is cut off`);
    }
    await request("POST", `/voice-experiments/${run.voice_experiment_id}/cancel`);
    await close();
  });

  it("is asked after when the stream of events does not open", async () => {
    const again = await request("POST", `/voice-experiments/${(await demo()).id}/rerun`, { only: "failed" });
    const { page, close } = await open(`/experiments/${again.id}`, { prepare: (p) => p.route("**/api/rest/events*", (route) => route.abort()) });
    await page.getByText(/connection lost/).waitFor();
    await page.getByRole("button", { name: "Cancel the run" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel the run" }).click();
    await page.getByText("canceled").first().waitFor({ timeout: 30_000 });
    assert.equal(new URL(page.url()).origin, url());
    await close();
  });
});
