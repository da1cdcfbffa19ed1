import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { open, quit, request, settled, url } from "./service.mjs";

after(quit);

const hello = (key, goal = `Goal of ${key}`) => ({ key, input: { goal, script: ["wait_for_agent", { say: "Hello." }, "hang_up"] }, output: { say: ["appointment"] } });

/** make creates a dataset with so many items, and returns it. */
async function make(name, items) {
  return request("POST", "/datasets", { name, items });
}

describe("datasets", () => {
  it("is behind whoever has made it, and so is a scenario: Back leads past the form", async () => {
    const { page, close } = await open("/datasets");
    await page.getByRole("button", { name: "New dataset" }).click();
    await page.getByRole("dialog").getByRole("textbox", { name: "Name" }).fill("Past the form");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Past the form" }).waitFor();
    await page.getByRole("button", { name: "Write the first one" }).click();
    await page.getByLabel("Line of step 2").fill("Hello.");
    await page.getByRole("button", { name: "Add scenario" }).click();
    await page.waitForURL((address) => address.searchParams.get("item")?.startsWith("di_"));
    await page.goBack();
    await page.getByRole("grid", { name: "Scenarios" }).waitFor();
    await page.goBack();
    await page.getByRole("table", { name: "Datasets" }).waitFor();
    assert.equal(await page.getByRole("dialog").count(), 0);
    assert.equal(new URL(page.url()).search, "");
    await close();
  });

  it("is made of a file, whose problems are told line by line first", async () => {
    const { page, close } = await open("/datasets");
    await page.getByRole("button", { name: "New dataset" }).click();
    const file = page.locator("input[type=file]");
    await file.setInputFiles({ name: "front.yaml", mimeType: "application/yaml", buffer: Buffer.from("- input:\n    gaol: x\n- key: a\n  input: {goal: y}\n- key: a\n  input: {}\n") });
    await page.getByText("did you mean goal?").waitFor();
    assert.match(await page.getByRole("row", { name: /gaol/ }).textContent(), /^2items\[0\]\.input\.gaol/);
    await file.setInputFiles({ name: "front.csv", mimeType: "text/csv", buffer: Buffer.from("key,goal\na,Book\nb,Move\n") });
    await page.getByText("The file is fine.").waitFor();
    assert.equal(await page.getByLabel("Name").inputValue(), "front");
    await page.getByRole("button", { name: "Create and import" }).click();
    await page.getByRole("heading", { level: 1, name: "front" }).waitFor();
    await page.getByRole("gridcell", { name: "Move" }).waitFor();
    await close();
  });

  it("shows what is wrong with an item while it is written, saves it, and keeps the old version", async () => {
    const d = await make("Written", [hello("one")]);
    const { page, errors, close } = await open(`/datasets/${d.id}?item=new`);
    await page.getByLabel("Goal", { exact: true }).fill("Ask for the price");
    await page.getByLabel("Line of step 2").fill("What is it?");
    await page.getByLabel("Longest call, ms").fill("5");
    await page.getByRole("alert").getByText("input.limits.max_duration_ms").waitFor();
    await page.getByLabel("Longest call, ms").and(page.locator("[aria-invalid=true]")).waitFor();
    await page.getByLabel("Longest call, ms").fill("60000");
    await page.getByText("input.limits.max_duration_ms").waitFor({ state: "detached" });
    await page.getByLabel("Key", { exact: true }).fill("one");
    await page.getByRole("button", { name: "Add scenario" }).last().click();
    await page.getByRole("alert").getByText(/key/).first().waitFor(); // another item has that key
    await page.getByLabel("Key", { exact: true }).fill("price");
    await page.getByRole("button", { name: "Add scenario" }).last().click();
    await page.waitForURL(/item=di_/);
    const { data, dataset_version: version } = await request("GET", `/datasets/${d.id}/items`);
    assert.deepEqual([data.length, data[1].key, data[1].input.script[1].say, version], [2, "price", "What is it?", 2]);
    await page.getByRole("button", { name: "All scenarios" }).click();
    await page.getByRole("tab", { name: "Versions" }).click();
    await page.getByRole("link", { name: "Version 1", exact: true }).click();
    await page.getByText("You are looking at version 1;").waitFor();
    await page.getByRole("gridcell", { name: "one", exact: true }).waitFor();
    await page.getByRole("gridcell", { name: "price", exact: true }).waitFor({ state: "detached" });
    assert.deepEqual(errors, []);
    await close();
  });

  it("asks before it takes the place of what somebody else has written meanwhile", async () => {
    const d = await make("Two at once", [hello("one")]);
    const { data: [{ id }] } = await request("GET", `/datasets/${d.id}/items`);
    const goal = async () => (await request("GET", `/datasets/${d.id}/items/${id}`)).input.goal;
    const { page, close } = await open(`/datasets/${d.id}?item=${id}`);
    const asked = [];
    let answer = "dismiss";
    page.on("dialog", (dialog) => {
      asked.push(dialog.message());
      void dialog[answer]();
    });
    const save = page.getByRole("button", { name: "Save", exact: true });
    await page.getByLabel("Goal", { exact: true }).fill("Mine");
    await save.click();
    await page.getByText("Saved", { exact: true }).waitFor();
    assert.deepEqual([asked.length, await goal()], [0, "Mine"]);
    await request("PUT", `/datasets/${d.id}/items/${id}`, hello("one", "Theirs"));
    await page.getByLabel("Goal", { exact: true }).fill("Mine again");
    await Promise.all([page.waitForEvent("dialog"), save.click()]);
    assert.deepEqual([asked.length, await goal()], [1, "Theirs"]);
    answer = "accept";
    await Promise.all([page.waitForEvent("dialog"), save.click()]);
    await page.getByText("Saved", { exact: true }).waitFor();
    assert.equal(await goal(), "Mine again");
    await close();
  });

  it("saves once, and keeps what is written meanwhile", async () => {
    const d = await make("While it saves", [hello("one")]);
    const { data: [{ id }] } = await request("GET", `/datasets/${d.id}/items`);
    let go;
    const slow = new Promise((done) => (go = done));
    const prepare = (page) => page.route(`**/items/${id}`, async (route) => {
      if (route.request().method() === "PUT") await slow;
      await route.continue();
    });
    const { page, close } = await open(`/datasets/${d.id}?item=${id}`, { prepare });
    const goal = page.getByLabel("Goal", { exact: true });
    await goal.fill("Mine");
    await page.getByRole("button", { name: "Save", exact: true }).dblclick();
    const put = page.waitForResponse((answer) => answer.request().method() === "PUT");
    await goal.fill("Mine, and more");
    go();
    await put;
    await page.getByText("Not saved yet").waitFor();
    assert.equal(await goal.inputValue(), "Mine, and more");
    assert.equal((await request("GET", `/datasets/${d.id}/items/${id}`)).input.goal, "Mine");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    assert.equal((await request("GET", `/datasets/${d.id}/items/${id}`)).input.goal, "Mine, and more");
    assert.equal((await request("GET", `/datasets/${d.id}`)).version, d.version + 2, "as many versions as somebody has saved");
    await close();
  });

  it("says what its first version brought", async () => {
    const d = await make("First", [hello("one"), hello("two")]);
    const { page, close } = await open(`/datasets/${d.id}?tab=versions`);
    await page.getByRole("link", { name: "What it changed, version 1" }).click();
    await page.getByText("What version 1 changed: 2 added, 0 changed, 0 removed").waitFor();
    await close();
  });

  it("leaves the lines of a script room on a telephone", async () => {
    const d = await make("Narrow", [hello("one")]);
    const { data: [{ id }] } = await request("GET", `/datasets/${d.id}/items`);
    const { page, close } = await open(`/datasets/${d.id}?item=${id}`, { width: 390 });
    const line = page.getByLabel("Line of step 2");
    await settled(page);
    const { width } = await line.boundingBox();
    assert.ok(width > 260, `the line is ${width} px wide`);
    await close();
  });

  it("keeps what was typed for a number, and the focus of who saves by key", async () => {
    const { id } = await make("Typed numbers", [hello("typed")]);
    const { data } = await request("GET", `/datasets/${id}/items`);
    const { page, close } = await open(`/datasets/${id}?item=${data[0].id}`);
    const field = page.getByLabel("First word within");
    await field.pressSequentially("1.5");
    assert.equal(await field.inputValue(), "1.5");
    await page.getByRole("alert").getByText(/whole number/).waitFor();
    await field.fill("1500");
    await page.getByRole("alert").waitFor({ state: "hidden" });
    const save = page.getByRole("button", { name: "Save", exact: true });
    await save.press("Enter");
    await page.getByRole("status").getByText("Saved", { exact: true }).waitFor();
    assert.equal(await save.evaluate((button) => document.activeElement === button), true);
    await close();
  });

  it("writes the JSON and the form from each other", async () => {
    const d = await make("Both", [hello("one")]);
    const { data } = await request("GET", `/datasets/${d.id}/items`);
    const { page, close } = await open(`/datasets/${d.id}?item=${data[0].id}`);
    const json = page.getByLabel("The scenario as JSON");
    await page.getByLabel("Goal", { exact: true }).fill("Something else");
    assert.equal(JSON.parse(await json.inputValue()).input.goal, "Something else");
    await json.fill('{"key": "one", "input": {"goal": "By hand", "metadta": 1}, "output": {}}');
    assert.equal(await page.getByLabel("Goal", { exact: true }).inputValue(), "By hand");
    await page.getByText("is not a known key").first().waitFor();
    await json.fill('{"key": "one", ');
    assert.equal(await page.getByRole("button", { name: "Save", exact: true }).isDisabled(), true);
    page.on("dialog", (dialog) => void dialog.dismiss());
    await page.getByRole("button", { name: "All scenarios" }).click(); // not saved: it asks, and stays
    assert.match(page.url(), /item=/);
    await close();
  });

  it("moves through ten thousand scenarios by keyboard", async () => {
    const d = await make("Many", []);
    const lines = Array.from({ length: 10_000 }, (_, n) => JSON.stringify({ key: `item-${n + 1}`, input: { goal: `Goal ${n + 1}` }, output: {} }));
    for (let n = 0; n < 10; n++) {
      const answer = await fetch(`${url()}/api/rest/datasets/${d.id}/import?format=jsonl`, {
        method: "POST", headers: { authorization: `Bearer ${process.env.RINGTRUE_KEY}` }, body: lines.slice(n * 1000, n * 1000 + 1000).join("\n"),
      });
      assert.equal(answer.status, 200);
    }
    const { page, errors, close } = await open(`/datasets/${d.id}`);
    const grid = page.getByRole("grid", { name: "Scenarios" });
    await grid.focus();
    assert.equal(await grid.getAttribute("aria-rowcount"), "10001");
    assert.ok((await page.getByRole("row").count()) < 80);
    await page.keyboard.press("Control+End");
    await page.getByRole("gridcell", { name: "item-10000", exact: true }).waitFor();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.getByLabel("Key", { exact: true }).waitFor();
    assert.equal(await page.getByLabel("Key", { exact: true }).inputValue(), "item-9999");
    await page.goBack();
    // Back in the sheet, the cursor and the focus are where they were.
    await page.waitForFunction(() => document.activeElement.getAttribute("role") === "grid");
    const here = await page.evaluate(() => document.getElementById(document.activeElement.getAttribute("aria-activedescendant"))?.textContent);
    assert.equal(here, "item-9999");
    await page.getByLabel("Search scenarios").fill("item-77");
    await page.getByText(/scenarios match “item-77”$/).waitFor();
    assert.match(await page.getByText(/scenarios match “item-77”$/).textContent(), /^111 of 10,000/);
    assert.deepEqual(errors, []);
    await close();
  });

  it("makes scenarios of calls after showing them", async () => {
    const d = await make("From calls", []);
    const { page, close } = await open(`/datasets/${d.id}`);
    await page.getByRole("button", { name: "Make scenarios from calls" }).click();
    await page.getByRole("group", { name: "Calls" }).getByRole("checkbox").first().check();
    await page.getByRole("button", { name: "Preview the scenario" }).click();
    await page.getByRole("button", { name: "Add the scenario" }).click();
    await page.getByRole("grid", { name: "Scenarios" }).waitFor();
    assert.equal((await request("GET", `/datasets/${d.id}`)).item_count, 1);
    await close();
  });

  it("is deleted without a question about what was written in it, and so is a scenario", async () => {
    const d = await make("Written and deleted", [hello("one"), hello("two")]);
    const { data: items } = await request("GET", `/datasets/${d.id}/items`);
    const { page, close } = await open(`/datasets/${d.id}?item=${items[0].id}`);
    const asked = [];
    page.on("dialog", (question) => {
      asked.push(question.message());
      void question.dismiss();
    });
    await page.getByLabel("Goal", { exact: true }).fill("Half an hour of work");
    await page.getByRole("button", { name: "Delete the scenario" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete the scenario" }).click();
    await page.getByRole("gridcell", { name: "two", exact: true }).dblclick();
    await page.getByLabel("Goal", { exact: true }).fill("Another half an hour");
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: /Delete the dataset/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete the dataset" }).click();
    await page.getByRole("table", { name: "Datasets" }).waitFor();
    assert.deepEqual(asked, []);
    await close();
  });

  it("is deleted only when that was meant", async () => {
    const d = await make("To be deleted", [hello("one")]);
    const { page, close } = await open(`/datasets/${d.id}`);
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: /Delete the dataset/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete the dataset" }).click();
    await page.waitForURL(`${url()}/datasets`);
    await assert.rejects(request("GET", `/datasets/${d.id}`), /404/);
    await page.goto(`${url()}/datasets/${d.id}`);
    await page.getByRole("alert").waitFor();
    await close();
  });
});
