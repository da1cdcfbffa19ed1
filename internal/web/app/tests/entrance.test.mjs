import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { open, overflows, quit, settled, url, violations } from "./service.mjs";

after(quit);

const empty = () => process.env.RINGTRUE_EMPTY_URL;

describe("the first start", () => {
  it("leads to the set-up, makes the owner once, and signs in and out", async () => {
    const { page, errors, close } = await open("/", { as: "nobody", base: empty(), width: 360 });
    await page.getByRole("heading", { name: "Welcome to Ringtrue" }).waitFor();
    assert.deepEqual(await violations(page), []);
    assert.equal(await overflows(page), 0);
    await page.getByLabel("Set-up token").fill("wrong");
    await page.getByLabel("Your name").fill("Ada");
    await page.getByLabel("E-mail").fill("ada@example.com");
    await page.getByRole("textbox", { name: "Password" }).fill("correct horse battery");
    await page.getByRole("button", { name: "Create the account" }).click();
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Set-up token").fill(process.env.RINGTRUE_SETUP_TOKEN);
    await page.getByRole("button", { name: "Create the account" }).click();
    await page.getByRole("heading", { name: "No production calls yet" }).waitFor();
    await settled(page);
    assert.deepEqual(await violations(page), []);
    await page.getByRole("button", { name: /Signed in as Ada/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.waitForURL(/\/sign-in/);
    await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
    assert.deepEqual(await violations(page), []);
    await page.getByLabel("E-mail").fill("ada@example.com");
    await page.getByRole("textbox", { name: "Password" }).fill("wrong password");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("alert").waitFor();
    await page.getByRole("textbox", { name: "Password" }).fill("correct horse battery");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await page.goto(`${empty()}/setup?token=${process.env.RINGTRUE_SETUP_TOKEN}`);
    await page.getByText("Already set up").waitFor();
    assert.deepEqual(errors, []);
    await close();
  });

  it("sends whoever has not signed in back to where they wanted to go, and nowhere else", async () => {
    const { page, close } = await open("/monitor/upset?last=28d", { as: "nobody", base: empty() });
    await page.waitForURL(/\/sign-in\?to=/);
    await page.getByLabel("E-mail").fill("ada@example.com");
    await page.getByRole("textbox", { name: "Password" }).fill("correct horse battery");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.waitForURL(`${empty()}/monitor/upset?last=28d`);
    await page.goto(`${empty()}/sign-in?to=${encodeURIComponent("//evil.example")}`);
    await close();
  });
});

describe("the keyboard", () => {
  it("leaps between pages, lists its short cuts, and skips to the page", async () => {
    const { page, close } = await open("/");
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("f");
    await page.waitForURL(/\/monitor\/failures/);
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await page.goto(url());
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to main content");
    await close();
  });
});

describe("the first page", () => {
  it("needs less than 200 KB of script, packed", async () => {
    let bytes = 0;
    const prepare = (page) => page.on("response", (answer) => answer.url().endsWith(".js") && (bytes += Number(answer.headers()["content-length"])));
    const { page, close } = await open("/", { prepare, as: "nobody" });
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    assert.ok(bytes < 200_000, `${bytes} bytes`);
    await page.context().addCookies(JSON.parse(process.env.RINGTRUE_PEOPLE).owner);
    bytes = 0;
    await page.goto(url());
    await settled(page);
    assert.ok(bytes > 50_000 && bytes < 200_000, `${bytes} bytes`);
    await close();
  });
});

describe("a link that was used", () => {
  it("lets in whoever is signed in already, and tells everybody else what to do", async () => {
    const used = "/sign-in?link=used-before&to=%2Fagents";
    const here = await open("/");
    await here.page.goto(`${url()}${used}`);
    await here.page.waitForURL(/\/agents$/);
    await here.close();
    const { page, close } = await open(used, { as: "nobody" });
    await page.getByText("This link no longer works").waitFor();
    assert.deepEqual(await violations(page), []);
    await close();
  });
});
