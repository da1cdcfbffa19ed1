import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { demo, eventually, open, quit, request, textOf } from "./service.mjs";

after(quit);

/** demo is the experiment that the demo ran: the oldest. */
describe("test runs", () => {
  it("keep the filters of the list in the address", async () => {
    const { page, close } = await open("/experiments");
    await page.getByRole("table", { name: "Experiments" }).waitFor();
    // On a slow machine runs may be void; this agent has none.
    await page.getByLabel("Agent").selectOption({ label: "support" });
    await page.getByLabel("Verdict").selectOption("void");
    await page.waitForURL(/agent=agt_.*verdict=void/);
    await page.getByText("No experiment matches").waitFor();
    await page.getByRole("link", { name: "Clear the filters" }).click();
    await page.getByRole("table", { name: "Experiments" }).getByRole("link").first().click();
    await page.waitForURL(/\/experiments\/ve_/);
    await close();
  });

  it("are not listed under filters that they were not asked for by", async () => {
    let answer;
    const late = new Promise((done) => (answer = done));
    const held = (page) => page.route((address) => address.pathname === "/api/rest/voice-experiments" && address.searchParams.get("verdict") === "void", async (route) => {
      await late;
      await route.continue();
    });
    const { page, close } = await open("/experiments", { prepare: held });
    await page.getByRole("table", { name: "Experiments" }).getByRole("link").first().waitFor();
    await page.getByLabel("Verdict").selectOption("void");
    await page.getByLabel("Loading").first().waitFor();
    assert.equal(await page.getByRole("table", { name: "Experiments" }).count(), 0, "nobody knows yet which are void");
    answer();
    await page.getByLabel("Loading").first().waitFor({ state: "detached" });
    await close();
  });

  it("choose among all scenarios of a dataset, also of more than one page has", async () => {
    const item = (n) => ({ key: `case ${n}`, input: { script: ["wait_for_agent", "hang_up"] } });
    const agent = await request("POST", "/agents", { name: "chooser" });
    const { id } = await request("POST", "/datasets", { name: "many to choose from", items: Array.from({ length: 1200 }, (_, n) => item(n)) });
    const { page, close } = await open(`/experiments/new?agent=${agent.id}&dataset=${id}`);
    await page.getByText("all 1,000 and more").waitFor();
    await page.getByRole("button", { name: "Choose some" }).click();
    await page.getByLabel("Search scenarios").fill("case 1199");
    await page.getByRole("checkbox", { name: "case 1199" }).check();
    await page.getByText("1 of 1,200 chosen").waitFor();
    await close();
  });

  it("are not started while one of their numbers cannot be read", async () => {
    const { agent_id, dataset_id } = await demo();
    let started = 0;
    const stopped = (page) => page.route("**/api/rest/voice-agent/*/run", (route) => {
      started++;
      return route.abort();
    });
    const { page, close } = await open(`/experiments/new?agent=${agent_id}&dataset=${dataset_id}`, { prepare: stopped });
    await page.getByLabel("Phone number").fill("+15550100");
    await page.getByRole("button", { name: "Settings of this run" }).click();
    await page.getByLabel("Calls started per second").fill("0,5");
    await page.getByText("This is not a number").waitFor();
    await page.getByRole("button", { name: "Start the calls" }).click();
    await page.getByLabel("Calls started per second").fill("0.5");
    assert.equal(started, 0);
    await page.getByRole("button", { name: "Start the calls" }).click();
    await eventually(() => assert.equal(started, 1));
    await close();
  });

  it("lead from a mark of the matrix to the second that shows why", async () => {
    const { id } = await demo();
    const { page, close } = await open(`/experiments/${id}`);
    const matrix = page.getByRole("table", { name: "Scenarios and scorers" });
    await matrix.getByRole("link", { name: /failed/ }).first().waitFor();
    await matrix.locator('a[href*="?t="]').first().click();
    await page.waitForURL(/\/calls\/call_\w+\?t=/);
    await close();
  });

  it("lead from a number to the calls behind it", async () => {
    const { id, counts } = await demo();
    const { page, close } = await open(`/experiments/${id}`);
    await page.getByRole("link", { name: `${counts.failed} failed` }).click();
    await page.waitForURL(/verdict=failed/);
    const rows = page.getByRole("table", { name: "Calls" }).locator("tbody tr[data-index]");
    await eventually(async () => assert.equal(await rows.count(), counts.failed));
    await close();
  });

  it("give their calls to take along as a table", async () => {
    const { id, counts } = await demo();
    const { page, close } = await open(`/experiments/${id}`);
    await page.getByRole("button", { name: "Report" }).click();
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("menuitem", { name: /^CSV/ }).click()]);
    assert.equal(file.suggestedFilename(), `experiment-${id}.csv`);
    const [head, ...rows] = (await textOf(file)).split("\r\n").filter(Boolean);
    assert.match(head, /^\uFEFFscenario,.*,call_id,.*,verdict,/);
    assert.equal(rows.length, counts.calls);
    await close();
  });

  it("give their report to take along", async () => {
    const { id } = await demo();
    const { page, close } = await open(`/experiments/${id}`);
    await page.getByRole("button", { name: "Report" }).click();
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("menuitem", { name: /JUnit/ }).click()]);
    assert.match(file.suggestedFilename(), new RegExp(`^${id}.*xml$`));
    await close();
  });

  it("say what is missing next to the field, and what a run would come to", async () => {
    const { page, close } = await open("/experiments/new");
    await page.getByLabel(/^Agent/).selectOption("");
    await page.getByRole("button", { name: "Start the calls" }).click();
    await page.locator("p", { hasText: "Choose an agent" }).waitFor();
    const { agent_id: agent, dataset_id: dataset, to_number: to } = await demo();
    await page.getByLabel(/^Agent/).selectOption(agent);
    await page.getByLabel(/^Dataset/).selectOption(dataset);
    await page.getByLabel("Phone number").fill("12");
    await page.getByText(/The run cannot be started like this/).waitFor();
    await page.getByLabel("Phone number").fill(to);
    await page.getByRole("region", { name: "Estimate" }).getByText("Total talk time").waitFor();
    await close();
  });

  it("that were canceled say so, and wait for no verdict", async () => {
    const run = await demo();
    const { voice_experiment_id: canceled } = await request("POST", `/voice-agent/${run.agent_id}/run`, { to_number: run.to_number, dataset_id: run.dataset_id });
    await request("POST", `/voice-experiments/${canceled}/cancel`);
    for (const path of [`/experiments/${canceled}`, `/experiments/compare?base=${run.id}&with=${canceled}`]) {
      const { page, close } = await open(path);
      await page.getByText("canceled", { exact: true }).first().waitFor();
      assert.equal(await page.getByText("no verdict yet").count(), 0, path);
      if (path.includes("compare")) await page.getByText(/^Calls without a verdict are left out of the differences: 0 in the base, \d+ in the other\.$/).waitFor();
      await close();
    }
  });

  it("show nothing of an experiment that is not there", async () => {
    for (const path of ["/experiments/ve_01k0000000000000000000000a", "/experiments/compare?base=ve_01k0000000000000000000000a&with=x"]) {
      const { page, close } = await open(path);
      await page.getByRole("alert").waitFor();
      await close();
    }
  });
});
