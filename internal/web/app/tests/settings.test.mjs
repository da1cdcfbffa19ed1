import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { demo, eventually, open, quit, request, settled, url } from "./service.mjs";

after(quit);

describe("settings", () => {
  it("shows a new key once, which works until it is revoked", async () => {
    const { page, close } = await open("/settings/keys");
    await page.getByLabel("What it is for").fill("nightly run");
    await page.getByRole("button", { name: "Create the key" }).click();
    const secret = (await page.getByRole("status").locator("code").textContent()).trim();
    assert.match(secret, /^rt_[0-9a-f]+_[0-9a-f]+$/);
    const ask = () => fetch(`${url()}/api/rest/agents`, { headers: { authorization: `Bearer ${secret}` } });
    assert.equal((await ask()).status, 200);
    await page.reload();
    await page.getByRole("cell", { name: "nightly run", exact: true }).waitFor();
    assert.equal((await page.content()).includes(secret), false);
    await page.getByRole("button", { name: "Revoke nightly run" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke the key" }).click();
    await page.getByText("revoked").waitFor();
    await new Promise((done) => setTimeout(done, 1200)); // a process may cache a valid key for a second
    assert.equal((await ask()).status, 401);
    await page.goto(`${url()}/settings/audit`);
    await page.getByRole("cell", { name: /nightly run/ }).first().waitFor();
    await close();
  });

  it("finds entries of the audit log by the words that are shown", async () => {
    const { page, close } = await open("/settings/audit");
    const rows = page.getByRole("table", { name: "Audit log" }).locator("tbody tr:not([aria-hidden])");
    for (const [words, found] of [["create api key", /create api keyAPI key /], ["API key nightly", /API key nightly run/], ["(key) create agent", /\(key\)create agent/], ["create-agent", /create agent/]]) {
      const each = words.replace("-", " ").toLowerCase().split(" "); // in any order: other tests have made things with such names
      await page.getByRole("searchbox").fill(words);
      await page.waitForURL((address) => address.searchParams.get("who") === words);
      await rows.first().waitFor();
      const texts = await rows.allTextContents();
      assert.ok(texts.some((text) => found.test(text)), `${words}: ${texts[0]}`);
      for (const text of texts) for (const word of each) assert.ok(text.toLowerCase().includes(word), `${words}: ${text}`);
    }
    await close();
  });

  it("breaks no word of what a key is called or who made it on a telephone", async () => {
    const key = { id: "key_1", name: "production records", prefix: "0123456789abcdef", created_at: 1, created_by: "Constance", last_used_at: null, revoked_at: null };
    const { page, close } = await open("/settings/keys", {
      width: 390,
      prepare: (opened) => opened.route((address) => address.pathname === "/api/rest/api-keys", (route) => route.fulfill({ json: { data: [key], next_cursor: null } })),
    });
    const cells = page.getByRole("table", { name: "API keys" }).getByRole("cell");
    await cells.first().waitFor();
    for (const [cell, words] of [[0, key.name], [3, key.created_by]]) assert.deepEqual(await cells.nth(cell).evaluate(broken), [], words);
    await close();
  });

  it("says that there is nothing at an address that is none of its pages", async () => {
    const { page, close } = await open("/settings/accountant");
    await page.getByRole("heading", { level: 1, name: "There is nothing at this address" }).waitFor();
    await page.goto(`${url()}/settings`);
    await page.getByRole("region", { name: "Password" }).waitFor();
    await close();
  });

  it("have a menu of workspaces that lies above the navigation", async () => {
    const { page, close } = await open("/settings/account");
    await page.getByRole("button", { name: /^Workspace / }).click();
    await page.getByRole("menuitem", { name: "Elsewhere" }).click({ trial: true }); // fails where something else would take the click
    await close();
  });

  it("keeps prices, from which an estimate says what a run would cost", async () => {
    const { page, close } = await open("/settings/workspace");
    const form = page.getByRole("region", { name: "Prices" });
    await form.getByLabel("Currency").fill("euro");
    assert.equal(await form.getByLabel("Currency").inputValue(), "eur".toUpperCase());
    await form.getByLabel(/^Trunk .*, per minute/).fill("0.5");
    const kept = page.waitForResponse((answer) => answer.request().method() === "PUT");
    await form.getByRole("button", { name: "Save the prices" }).click();
    await kept; // the button is disabled until then
    await form.getByRole("button", { name: "Save the prices", disabled: true }).waitFor();
    await form.getByRole("status").getByText("Saved.").waitFor();
    await page.reload();
    assert.equal(await form.getByLabel(/^Trunk .*, per minute/).inputValue(), "0.5");
    const { agent_id: agent, dataset_id: dataset, to_number: to, id } = await demo();
    await page.goto(`${url()}/experiments/new?agent=${agent}&dataset=${dataset}`);
    await page.getByLabel("Phone number").fill(to);
    await page.getByRole("region", { name: "Estimate" }).getByText(/€/).waitFor();
    // What was run before costs what it did then.
    await page.goto(`${url()}/experiments/${id}`);
    await page.getByText(/Cost \$0\.00/).waitFor();
    await request("PUT", "/prices", { currency: "USD" });
    await close();
  });

  it("keeps what somebody else saved since the page was opened, of prices and of dimensions", async () => {
    await request("PUT", "/prices", { currency: "EUR", speech_per_minute: 0.01, model_per_minute: 0.02 });
    await request("PUT", "/monitoring/dimensions", { metadata_keys: ["customer", "line"], time_zone: "" });
    const { page, close } = await open("/settings/workspace");
    const prices = page.getByRole("region", { name: "Prices" });
    const dimensions = page.getByRole("region", { name: "Dimensions" });
    await prices.getByLabel("Language model, per minute").fill("0.05");
    await dimensions.getByRole("combobox", { name: "Metadata keys" }).fill("shop");
    await page.keyboard.press("Enter");
    await request("PUT", "/prices", { currency: "EUR", speech_per_minute: 0.09, model_per_minute: 0.02 });
    await request("PUT", "/monitoring/dimensions", { metadata_keys: ["line", "campaign"], time_zone: "Europe/Berlin" });
    await prices.getByRole("button", { name: "Save the prices" }).click();
    await prices.getByText("Saved.").waitFor();
    await dimensions.getByRole("button", { name: "Save" }).click();
    await dimensions.getByText("Saved.").waitFor();
    const { speech_per_minute: speech, model_per_minute: model } = await request("GET", "/prices");
    const { metadata_keys: keys, time_zone: zone } = await request("GET", "/monitoring/dimensions");
    assert.deepEqual([speech, model, [...keys].sort(), zone], [0.09, 0.05, ["campaign", "line", "shop"], "Europe/Berlin"]);
    await request("PUT", "/prices", { currency: "USD" });
    await request("PUT", "/monitoring/dimensions", { metadata_keys: [], time_zone: "" });
    await close();
  });

  it("invites a viewer, who sees everything and can change nothing", async () => {
    const { page, close } = await open("/settings/members");
    const guest = await invited(page, "viewer", "Vera Viewer");
    await guest.page.goto(`${url()}/settings/members`);
    await guest.page.getByRole("cell", { name: /Vera Viewer/ }).waitFor();
    assert.equal(await guest.page.getByRole("tab", { name: "API keys" }).count(), 0);
    assert.equal(await guest.page.getByRole("button", { name: "Invite", exact: true }).count(), 0);
    const status = await guest.page.evaluate(async () => (await fetch("/api/rest/agents", { method: "POST", headers: { "content-type": "application/json" }, body: '{"name":"x"}' })).status);
    assert.equal(status, 403);
    await guest.close();
    await close();
  });

  it("shows every open invitation, also the one that was made first", async () => {
    const all = Array.from({ length: 230 }, (_, n) => ({ id: `inv_${n}`, email: `guest${n}@example.com`, role: "viewer", invited_by: "Ada", created_at: 1, expires_at: Date.now() }));
    const { page, close } = await open("/settings/members", {
      prepare: (opened) => opened.route((address) => address.pathname === "/api/rest/invitations", (route) => {
        const asked = new URL(route.request().url()).searchParams;
        const begin = Number(asked.get("cursor") ?? 0);
        const end = begin + Number(asked.get("limit") ?? 50);
        return route.fulfill({ json: { data: all.slice(begin, end), next_cursor: end < all.length ? String(end) : null } });
      }),
    });
    await page.getByText("guest0@example.com").waitFor();
    await eventually(async () => {
      await page.keyboard.press("End");
      assert.equal(await page.getByText("guest229@example.com").count(), 1);
    });
    await close();
  });

  it("says so when signing out did not work", async () => {
    const { page, close } = await open("/settings/members", {
      prepare: (opened) => opened.route((address) => address.pathname === "/api/rest/session", (route) => (route.request().method() === "DELETE" ? route.abort() : route.continue())),
    });
    await page.getByRole("button", { name: /^Signed in as/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("alert").filter({ hasText: "You are still signed in." }).waitFor();
    await close();
  });

  it("invites an admin, who may take people out, but no owner", async () => {
    const { page, close } = await open("/settings/members");
    const guest = await invited(page, "admin", "Adam Admin");
    await guest.page.goto(`${url()}/settings/members`);
    await guest.page.getByRole("button", { name: "Remove Will Watcher" }).waitFor();
    const owners = guest.page.getByRole("row").filter({ has: guest.page.getByRole("cell", { name: "owner", exact: true }) });
    assert.equal(await owners.count(), 1);
    assert.equal(await owners.getByRole("button").count(), 0);
    await guest.close();
    await close();
  });

  it("offers an admin who has made a viewer of themselves nothing more that only admins may do", async () => {
    const { page, close } = await open("/settings/members");
    const guest = await invited(page, "admin", "Una Until");
    await guest.page.goto(`${url()}/settings/members`);
    await guest.page.getByLabel("Role of Una Until").selectOption("viewer");
    await guest.page.getByLabel("Role of Una Until").waitFor({ state: "detached" });
    assert.equal(await guest.page.getByRole("button", { name: /^(Invite|Remove|Leave)/ }).count(), 0);
    assert.equal(await guest.page.getByRole("tab", { name: "API keys" }).count(), 0);
    await guest.close();
    await close();
  });

  it("does not tell somebody who has just joined that the invitation is used up", async () => {
    const { page, close } = await open("/settings/members");
    let asked = 0;
    const guest = await invited(page, "viewer", "Jo Joiner", (opened) => opened.on("request", (sent) => (asked += Number(new URL(sent.url()).pathname === "/api/rest/session/invitation"))));
    await settled(guest.page);
    assert.equal(asked, 1);
    await guest.close();
    await close();
  });
});

/** broken runs in the page: it lists the words of an element that are broken over two lines. */
function broken(element) {
  const found = [];
  for (const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT); walk.nextNode(); ) {
    for (const { 0: word, index } of walk.currentNode.data.matchAll(/\S+/g)) {
      const range = document.createRange();
      range.setStart(walk.currentNode, index);
      range.setEnd(walk.currentNode, index + word.length);
      if (new Set(Array.from(range.getClientRects(), ({ top }) => top)).size > 1) found.push(word);
    }
  }
  return found;
}

/** invited is a page of somebody who joined by an invitation link. */
async function invited(page, role, name, prepare) {
  await page.getByLabel("E-mail").fill(`${name.toLowerCase().replace(" ", ".")}@example.com`);
  await page.getByRole("combobox", { name: "Role", exact: true }).or(page.getByLabel("Role", { exact: true })).first().selectOption(role);
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  const link = (await page.getByRole("status").locator("code").textContent()).trim();
  const guest = await open(new URL(link).pathname + new URL(link).search, { as: "nobody", prepare });
  await guest.page.getByLabel("Your name").fill(name);
  await guest.page.getByLabel("Choose a password").fill("long enough for this");
  await guest.page.getByRole("button", { name: "Join" }).click();
  await guest.page.waitForURL(`${url()}/`);
  return guest;
}

describe("saved views", () => {
  it("are all in the menu, which is no longer than the screen", async () => {
    const views = Array.from({ length: 130 }, (_, n) => ({ id: `view_${n}`, page: "calls", name: `view ${n}.`, query: "verdict=failed", shared: true, mine: false }));
    const { page, close } = await open("/calls", {
      prepare: (opened) => opened.route((address) => address.pathname === "/api/rest/saved-views", (route) =>
        route.fulfill({ json: { data: views.slice(0, Number(new URL(route.request().url()).searchParams.get("limit") ?? 50)), next_cursor: null } })),
    });
    await page.getByRole("button", { name: "Saved views" }).click();
    await page.getByRole("menuitem", { name: "view 129." }).waitFor();
    const { height, y } = await page.getByRole("menu").boundingBox();
    assert.ok(y + height <= 800, `it ends at ${y + height}`);
    await close();
  });
});

describe("another tab", () => {
  it("shows nothing of a workspace any more when another tab has gone to another one, but what is written", async () => {
    const elsewhere = await gone("/calls");
    const views = elsewhere.page.getByRole("button", { name: "Saved views" });
    await views.click();
    await elsewhere.page.getByRole("menuitem", { name: "of the first" }).waitFor();
    await elsewhere.page.keyboard.press("Escape");
    await elsewhere.go();
    await views.click();
    await elsewhere.page.getByRole("menuitem", { name: "of Elsewhere" }).waitFor();
    assert.equal(await elsewhere.page.getByRole("menuitem", { name: "of the first" }).count(), 0);
    await elsewhere.close();

    const writing = await gone("/prompts?new=yes");
    await writing.page.getByLabel("Text of the prompt").fill("Half an hour of work");
    await writing.go();
    await writing.page.getByText("You are now in the workspace “Elsewhere”").waitFor({ state: "attached" });
    assert.equal(await writing.page.getByLabel("Text of the prompt").inputValue(), "Half an hour of work");
    await writing.close();
  });

  it("is told of no longer than what is written is there: on its page, or in its dialog", async () => {
    const told = (page) => page.getByText("You are now in the workspace “Elsewhere”");
    const { page, go, close } = await gone("/calls");
    page.on("dialog", (question) => question.accept());
    await page.getByRole("button", { name: "Saved views" }).click();
    await page.getByRole("menuitem", { name: "of the first" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByLabel("New password").fill("half an hour of work");
    await go();
    await told(page).waitFor();
    await page.getByRole("link", { name: "All calls" }).click();
    await told(page).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Saved views" }).click();
    await page.getByRole("menuitem", { name: "of Elsewhere" }).waitFor();
    assert.equal(await page.getByRole("menuitem", { name: "of the first" }).count(), 0);
    await close();

    const writing = await gone("/prompts?new=yes");
    writing.page.on("dialog", (question) => question.accept());
    await writing.page.getByLabel("Text of the prompt").fill("Half an hour of work");
    await writing.go();
    await told(writing.page).waitFor({ state: "attached" });
    await writing.page.getByRole("button", { name: "Cancel" }).click();
    await told(writing.page).waitFor({ state: "detached" });
    await writing.close();
  });
});

/** gone opens a page in a workspace; its go switches the session to another one, as another tab would. */
async function gone(path) {
  let place = "the first";
  const { page, close } = await open(path, {
    prepare: (opened) => Promise.all([
      opened.route((address) => address.pathname === "/api/rest/session", async (route) => {
        const json = await (await route.fetch()).json();
        await route.fulfill({ json: place === "Elsewhere" ? { ...json, workspace: { id: "ws_elsewhere", name: place } } : json });
      }),
      opened.route((address) => address.pathname === "/api/rest/saved-views", (route) => {
        const view = { id: "view_1", page: "calls", name: `of ${place}`, query: "verdict=failed", shared: true, mine: false };
        return route.fulfill({ json: { data: [view], next_cursor: null } });
      }),
    ]),
  });
  const go = async () => {
    place = "Elsewhere";
    await page.evaluate(() => globalThis.dispatchEvent(new Event("visibilitychange")));
    await page.getByRole("button", { name: `Workspace ${place}` }).waitFor();
  };
  return { page, go, close };
}
