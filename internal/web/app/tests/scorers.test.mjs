import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { demo, eventually, looks, open, quit, request, settled } from "./service.mjs";

after(quit);

const stamp = Date.now().toString(36);

describe("scorers", () => {
  before(async () => {
    await request("POST", "/scorers", { slug: "greets", kind: "say", params: { phrase: "thank you for calling" }, labels: ["production"] });
    await request("POST", "/scorers", { slug: "greets", kind: "say", params: { phrase: "hello" } });
  });

  it("are made of their kind's settings, tried on calls, and changed as a new version", async () => {
    const { page, errors, close } = await open("/scorers?new=yes");
    await page.getByLabel("Slug").fill(`lasts-${stamp}`);
    await page.getByLabel("Kind").selectOption("duration");
    await page.getByLabel("Min ms").fill("90000");
    await page.getByLabel("Max ms").fill("1000");
    await page.getByRole("button", { name: "Create" }).click();
    await page.locator("[aria-invalid=true]").first().waitFor();
    await page.getByLabel("Min ms").fill("1000");
    await page.getByLabel("Max ms").fill("3600000");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { level: 1, name: `lasts-${stamp}` }).waitFor();
    await page.getByRole("button", { name: "New version" }).click();
    await page.getByLabel("Max ms").fill("1001");
    await page.getByRole("button", { name: "Try on all below" }).click();
    await page.getByRole("status").getByText(/\d+ failed/).waitFor();
    await page.getByRole("button", { name: "Save as the next version" }).click();
    await page.getByText("duration · version 2").waitFor();
    const kept = await request("GET", `/scorers/lasts-${stamp}`);
    assert.deepEqual([kept.version, kept.params], [2, { min_ms: 1000, max_ms: 1001 }]);
    assert.deepEqual(errors, []);
    await close();
  });

  it("are not tried while their settings cannot be read", async () => {
    const { page, close } = await open("/scorers/greets?edit=yes");
    await page.getByLabel("Write the settings as JSON").check();
    const all = page.getByRole("button", { name: "Try on all below" });
    await page.getByRole("button", { name: /^Try on call_/ }).first().waitFor();
    for (const text of ['{"phrase": "bye', "[]"]) {
      await page.getByLabel("Settings", { exact: true }).fill(text);
      await page.getByRole("status").getByText("The settings are not valid yet.").waitFor();
      assert.deepEqual([await all.isDisabled(), await page.getByRole("button", { name: "Save as the next version" }).isDisabled()], [true, true]);
      assert.equal(await page.getByRole("button", { name: /^Try on call_/ }).count(), 0);
    }
    await page.getByText("Write an object").waitFor();
    await page.getByLabel("Settings", { exact: true }).fill('{"phrase": "bye"}');
    await page.getByRole("button", { name: /^Try on call_/ }).first().waitFor();
    assert.equal(await all.isEnabled(), true);
    page.on("dialog", (question) => void question.accept());
    await close();
  });

  it("take numbers as they are typed, and are tried by keyboard", async () => {
    await request("POST", "/scorers", { slug: "typed", kind: "timing", params: { metric: "turn_latency", max: 3000 } });
    const { page, errors, close } = await open("/scorers/typed?edit=yes");
    const max = page.getByLabel("Max", { exact: true });
    for (const text of ["1.5", "0.05", "-0.5"]) {
      await max.fill("");
      await max.pressSequentially(text);
      assert.equal(await max.inputValue(), text);
    }
    await max.fill("");
    await max.pressSequentially("2999.5");
    const attempt = page.getByRole("button", { name: /^Try on call_/ }).first();
    await attempt.press("Enter");
    await page.getByText(/^1 (passed|failed|not evaluated)$/).waitFor();
    assert.equal(await attempt.evaluate((button) => document.activeElement === button), true, "who tries it by key is at the top of the page");
    await page.getByRole("button", { name: "Save as the next version" }).click();
    await page.getByRole("heading", { name: "Version 2" }).waitFor();
    assert.equal((await request("GET", "/scorers/typed")).params.max, 2999.5);
    assert.deepEqual(errors, []);
    await close();
  });

  it("have whole buttons on a telephone", async () => {
    const { page, close } = await open("/scorers/greets", { width: 390 });
    const label = page.getByRole("button", { name: /^Try on call_/ }).first().locator("span").last();
    await label.waitFor();
    await settled(page);
    assert.equal(await label.evaluate((each) => each.scrollWidth - each.clientWidth), 0);
    await close();
  });

  it("lead from what they say to the second of the call", async () => {
    const { data } = await request("GET", `/calls?voice_experiment_id=${(await demo()).id}&verdict=passed&limit=1`);
    const call = await request("GET", `/calls/${data[0].id}`);
    const said = call.transcript.messages.find((message) => message.role === "assistant" && message.content.split(" ").length > 4);
    await request("POST", "/scorers", { slug: "said", kind: "say", params: { phrase: said.content.split(" ").slice(0, 5).join(" ") } });
    const { page, close } = await open(`/scorers/said?call=${call.id}`);
    await page.getByRole("button", { name: "Try", exact: true }).click();
    const link = page.locator(`a[href^="/calls/${call.id}?t="]`).first();
    await link.waitFor();
    assert.match(await link.getAttribute("href"), /t=\d+(\.\d+)?$/);
    await close();
  });

  for (const [room, first, theirs] of [["scorers", { kind: "say", params: { phrase: "hello" } }, { kind: "say", params: { phrase: "theirs" } }], ["prompts", { text: "You are calm." }, { text: "theirs" }]]) {
    it(`keep what is written while somebody else saves a version: ${room}`, async () => {
      const slug = `shared-${stamp}`;
      await request("POST", `/${room}`, { slug, ...first });
      const { page, errors, close } = await open(`/${room}/${slug}?edit=yes`);
      const field = page.getByLabel(room === "scorers" ? "Phrase" : "Text of the prompt");
      await settled(page);
      await field.fill("mine");
      await request("POST", `/${room}`, { slug, ...theirs });
      await eventually(async () => { // what was read counts as new for five seconds
        await page.evaluate(() => globalThis.dispatchEvent(new Event("visibilitychange")));
        assert.equal(await page.getByText("Somebody else has saved version 2 in the meantime").count(), 1);
      });
      assert.equal(await field.inputValue(), "mine");
      const questions = [];
      page.on("dialog", (question) => {
        questions.push(question.message());
        void question.dismiss();
      });
      await page.getByRole("link", { name: "Agents", exact: true }).click();
      await eventually(() => assert.match(questions.join(), /without saving/));
      await page.getByRole("button", { name: "Save as the next version" }).click();
      await page.getByText(/ersion 3( ·|$)/).first().waitFor();
      const { version, text, params } = await request("GET", `/${room}/${slug}`);
      assert.deepEqual([version, text ?? params.phrase, questions.length], [3, "mine", 1]);
      assert.deepEqual(errors, []);
      await close();
    });
  }

  it("move labels between versions", async () => {
    const { page, close } = await open("/scorers/greets");
    await page.getByRole("button", { name: "Put a label on version 2" }).click();
    await page.getByRole("combobox", { name: "Label of version 2" }).fill("production");
    await page.getByRole("button", { name: "Put label here" }).click();
    await page.getByRole("row", { name: /Version 2.*production/ }).waitFor();
    assert.equal((await request("GET", "/scorers/greets?at=production")).version, 2);
    await close();
  });
});

describe("prompts", () => {
  it("keep versions, and show what sets them apart", async () => {
    const { page, errors, close } = await open("/prompts?new=yes");
    await page.getByLabel("Slug").fill(`hurried-${stamp}`);
    await page.getByRole("dialog").getByText("Text *", { exact: true }).waitFor();
    await page.getByLabel("Text of the prompt").fill("You are in a hurry, {persona.name}.\nSpeak shortly.");
    await page.getByText("Nothing is filled in for {persona.name}").waitFor();
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { level: 1, name: `hurried-${stamp}` }).waitFor();
    await page.getByRole("button", { name: "New version" }).click();
    await page.getByLabel("Text of the prompt").fill("You are in a great hurry.\nSpeak shortly.");
    await page.getByRole("region", { name: "What is changed" }).getByText("great hurry").waitFor();
    await page.getByRole("button", { name: "Save as the next version" }).click();
    await page.getByText("Version 2 ·").waitFor();
    await page.getByLabel("Compare with").selectOption("1");
    await page.getByRole("region", { name: "Version 1 and version 2" }).getByText("{persona.name}").waitFor();
    assert.equal((await request("GET", `/prompts/hurried-${stamp}`)).text, "You are in a great hurry.\nSpeak shortly.");
    await looks(page);
    assert.deepEqual(errors, []);
    await close();
  });
});
