import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { open, quit, request, url } from "./service.mjs";

after(quit);

describe("agents", () => {
  it("are made once by a double click", async () => {
    const { page, close } = await open("/agents?open=new");
    const name = `twice pressed ${Date.now()}`;
    await page.getByRole("dialog").getByLabel("Name").fill(name);
    await page.getByRole("dialog").getByRole("button", { name: /^Create/ }).dblclick();
    await page.getByRole("heading", { level: 1, name }).waitFor();
    assert.equal((await request("GET", "/agents?limit=1000")).data.filter((agent) => agent.name === name).length, 1);
    await close();
  });

  it("are created, and take their test defaults with every fault at its field", async () => {
    await request("POST", "/scorers", { slug: "agents-say", kind: "say", params: { phrase: "hello" } });
    const { page, errors, close } = await open("/agents");
    await page.getByRole("button", { name: "New agent" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Night desk");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { level: 1, name: "Night desk" }).waitFor();
    await page.getByRole("combobox", { name: "Scorers for every call" }).fill("agents-nothing");
    await page.keyboard.press("Enter");
    await page.getByLabel("Pass threshold").fill("7");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByLabel("Pass threshold").and(page.locator("[aria-invalid=true]")).waitFor();
    await page.getByLabel("Pass threshold").fill("0.8");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("agents-nothing").nth(1).waitFor(); // the pill, and why it cannot be
    await page.getByRole("combobox", { name: "Scorers for every call" }).focus();
    await page.keyboard.press("Backspace");
    await page.getByRole("combobox", { name: "Scorers for every call" }).fill("agents-say");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("status").getByText("Saved", { exact: true }).waitFor();
    const id = new URL(page.url()).pathname.split("/").at(-1);
    const { defaults } = await request("GET", `/agents/${id}`);
    assert.deepEqual([defaults.pass_threshold, defaults.scorers], [0.8, ["agents-say"]]);
    await page.getByLabel("Pass threshold").fill("");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("status").getByText("Saved", { exact: true }).waitFor();
    assert.equal((await request("GET", `/agents/${id}`)).defaults.pass_threshold, undefined);
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete the agent" }).click();
    await page.waitForURL(`${url()}/agents`);
    assert.deepEqual(errors, []);
    await close();
  });

  it("keep what somebody writes while they are saved", async () => {
    const { id } = await request("POST", "/agents", { name: "Slow desk" });
    let answer;
    const late = new Promise((done) => (answer = done));
    const prepare = (page) => page.route((address) => address.pathname === `/api/rest/agents/${id}`, async (route) => {
      if (route.request().method() === "PATCH") await late;
      await route.continue();
    });
    const { page, close } = await open(`/agents/${id}?tab=defaults`, { prepare });
    const name = page.getByLabel("Name"), status = page.getByRole("status");
    await name.fill("Slower desk");
    await page.getByRole("button", { name: "Save" }).click();
    await name.fill("Slowest desk");
    answer();
    await page.getByRole("heading", { level: 1, name: "Slower desk" }).waitFor();
    await status.getByText("Not saved yet", { exact: true }).waitFor();
    assert.equal(await name.inputValue(), "Slowest desk");
    await page.getByRole("button", { name: "Save" }).click();
    await status.getByText("Saved", { exact: true }).waitFor();
    assert.equal((await request("GET", `/agents/${id}`)).name, "Slowest desk");
    await request("DELETE", `/agents/${id}`);
    await close();
  });

  it("keep what was typed for a number, and say when it is no whole one", async () => {
    const { id } = await request("POST", "/agents", { name: "Typed desk" });
    const { page, close } = await open(`/agents/${id}?tab=defaults`);
    const field = page.getByLabel("Repetitions"), save = page.getByRole("button", { name: "Save" });
    await field.pressSequentially("1.5");
    assert.equal(await field.inputValue(), "1.5");
    await page.getByText("This is not a whole number").waitFor();
    assert.equal(await save.isDisabled(), true);
    await field.fill("");
    await field.pressSequentially("2");
    await save.press("Enter");
    await page.getByRole("status").getByText("Saved", { exact: true }).waitFor();
    assert.equal((await request("GET", `/agents/${id}`)).defaults.repetitions, 2);
    assert.equal(await save.evaluate((button) => document.activeElement === button), true, "who saves by key is at the top of the page");
    await request("DELETE", `/agents/${id}`);
    await close();
  });

  it("show what happened to them lately, each with its page", async () => {
    const { data } = await request("GET", "/voice-experiments?limit=100");
    const { page, close } = await open(`/agents/${data.at(-1).agent_id}`);
    await page.getByRole("table", { name: "Recent experiments" }).getByRole("link").first().waitFor();
    const call = page.getByRole("table", { name: "Recent calls" }).getByRole("link").first();
    assert.match(await call.getAttribute("href"), /^\/calls\/call_/);
    assert.match(await page.getByRole("link", { name: "Start a test run" }).getAttribute("href"), /\/experiments\/new\?agent=agt_/);
    await close();
  });
});
