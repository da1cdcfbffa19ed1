// Every page when the service is broken, and when it is slow.
import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { claims, places, ready } from "./pages.mjs";
import { demo, eventually, open, quit, request, settled, Still, url, walker } from "./service.mjs";

after(quit);

const [all, { dataset_id: dataset }] = await Promise.all([places(), demo()]);
const session = "/api/rest/session";

/** hasten shortens the pauses between retries, and empties the cache of what is not shown. */
const hasten = (page) =>
  page.addInitScript(() => {
    const wait = globalThis.setTimeout;
    globalThis.setTimeout = (act, ms, ...rest) => wait(act, ms >= 500 ? 1 : ms, ...rest);
  });

/** ending answers every request of a page as if its session had ended, once ended returns true. */
const ending = (ended) => (page) => Promise.all([
  page.route((address) => address.pathname.startsWith("/api/rest/") && address.pathname !== session, (route) =>
    ended() ? route.fulfill({ status: 401, contentType: "application/problem+json", body: '{"status":401,"code":"unauthenticated","detail":"who are you?"}' }) : route.continue()),
  page.route((address) => address.pathname === session, (route) => (ended() ? route.fulfill({ json: { signed_in: false, setup_needed: false, workspaces: [] } }) : route.continue())),
]);

/** answering lets act answer all requests of a page but the one for the session. */
const answering = (act) => (page) => page.route((address) => address.pathname.startsWith("/api/rest/") && address.pathname !== session, act);

/** asking are the pages that request more than the session. */
const asking = all.filter(({ path }) => path !== "/experiments/compare" && path !== Still);

const body = JSON.stringify({ status: 500, code: "internal", detail: "broken on purpose", hint: "mend it", request_id: "req_1" });
const broken = (route) => route.fulfill({ status: 500, contentType: "application/problem+json", body });

describe("every page tells of an error of the service, and of nothing that it does not know", () => {
  const go = walker({ afresh: true, prepare: (page) => Promise.all([hasten(page), answering(broken)(page)]) });
  for (const place of asking) {
    it(place.path, async () => {
      const { page, done } = await go(place.path);
      await page.getByRole("alert").filter({ hasText: "broken on purpose" }).first().waitFor();
      // A dialog may show the problem before the page under it does.
      await page.locator("main").getByText(/mend it/i).first().waitFor();
      await settled(page);
      if (claims(place)) assert.doesNotMatch(await page.textContent("main"), place.empty);
      // A part of the page may still be loading; it must arrive, and not wait forever.
      await page.getByLabel(/Loading/).first().waitFor({ state: "detached" });
      done();
    });
  }
});

describe("every page shows that it waits for a slow service, and then what it is for", () => {
  let late; // what answers wait for
  const go = walker({ afresh: true, prepare: (page) => Promise.all([hasten(page), answering((route) => late.then(() => route.continue()).catch(() => undefined))(page)]) });
  for (const place of asking) {
    it(place.path, async () => {
      let answer;
      late = new Promise((done) => (answer = done));
      const { page, done } = await go(place.path);
      await page.getByLabel(/Loading/).first().waitFor();
      assert.equal(await page.getByRole("alert").count(), 0);
      if (claims(place)) assert.doesNotMatch(await page.textContent("main"), place.empty);
      answer();
      await ready(page, place);
      done();
    });
  }
});

describe("a page that failed", () => {
  it("works again when the service does", async () => {
    let broken = true;
    const prepare = answering((route) => (broken ? route.abort() : route.continue()));
    const { page, close } = await open("/datasets", { prepare: (page) => Promise.all([hasten(page), prepare(page)]) });
    await page.getByRole("alert").filter({ hasText: "The service does not answer" }).waitFor();
    broken = false;
    await page.getByRole("link", { name: "Agents" }).click();
    await page.getByRole("table", { name: "Agents" }).waitFor();
    await page.goBack();
    await page.getByRole("table", { name: "Datasets" }).waitFor();
    await close();
  });

  it("says on the page of a call that goes on that what is shown may be old", async () => {
    const { data: [{ id }] } = await request("GET", `/calls?voice_experiment_id=${process.env.RINGTRUE_RUN}&limit=1`); // the newest of all may be another test's, and going on
    let gone = false;
    const prepare = (page) => page.route((address) => address.pathname === `/api/rest/calls/${id}`, async (route) =>
      gone ? route.abort() : route.fulfill({ json: { ...(await (await route.fetch()).json()), status: "IN_PROGRESS", verdict: null } }));
    const { page, close } = await open(`/calls/${id}`, { prepare: (page) => Promise.all([hasten(page), prepare(page)]) });
    await page.getByText("The call is in progress").waitFor();
    gone = true;
    await page.getByRole("alert").filter({ hasText: "The service does not answer" }).waitFor();
    await page.getByText("The call is in progress").waitFor();
    gone = false;
    await page.getByText("The service does not answer").waitFor({ state: "hidden" });
    await close();
  });

  it("works again by itself, and at once when somebody asks", async () => {
    let broken = true;
    const hurry = (page) => page.addInitScript(() => {
      const every = globalThis.setInterval;
      // An error that came and went with each retry would be on the page for moments only.
      globalThis.setInterval = (act, ms, ...rest) => (ms === 10_000 ? every(() => globalThis.hurried && act(), 100) : every(act, ms, ...rest));
    });
    const prepare = answering((route) => (broken ? route.fulfill({ status: 503, contentType: "application/problem+json", body }) : route.continue()));
    const { page, close } = await open("/agents", { prepare: (page) => Promise.all([hasten(page), hurry(page), prepare(page)]) });
    await page.getByRole("alert").filter({ hasText: "broken on purpose" }).waitFor();
    broken = false;
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("table", { name: "Agents" }).waitFor();
    broken = true;
    await page.reload();
    await page.getByRole("alert").filter({ hasText: "broken on purpose" }).first().waitFor();
    broken = false;
    await page.evaluate(() => (globalThis.hurried = true));
    await page.getByRole("table", { name: "Agents" }).waitFor();
    await close();
  });

  it("asks for a further part of a list that it is refused once, and again when somebody wants it", async () => {
    let times = 0;
    const prepare = (page) => page.route((address) => address.pathname === "/api/rest/agents" && address.searchParams.get("limit") === "200", async (route) => {
      if (!new URL(route.request().url()).searchParams.get("cursor")) return route.fulfill({ json: { ...(await (await route.fetch()).json()), next_cursor: "further" } });
      times++;
      return route.fulfill({ status: 422, contentType: "application/problem+json", json: { status: 422, code: "invalid_fields", title: "no such page" } });
    });
    const { page, close } = await open("/agents?q=no+agent+is+called+so", { prepare });
    await page.getByText("No such page").waitFor();
    await settled(page);
    await page.waitForTimeout(300);
    assert.equal(times, 1);
    assert.equal(await page.getByText("No agent matches").count(), 0, "nobody knows that");
    await Promise.all([page.waitForResponse((answer) => answer.status() === 422), page.getByRole("button", { name: "Load more" }).click()]);
    await settled(page);
    await page.waitForTimeout(300);
    assert.equal(times, 2);
    await close();
  });

  it("stays where it is while the network is away, and comes when it is back", async () => {
    let away = false;
    const hurry = (page) => page.addInitScript(() => {
      const every = globalThis.setInterval;
      globalThis.setInterval = (act, ms, ...rest) => every(act, ms === 10_000 ? 500 : ms, ...rest);
    });
    const prepare = (page) => Promise.all([hurry(page), page.route("**/*", (route) => (away ? route.abort("internetdisconnected") : route.fallback()))]);
    const { page, close } = await open(Still, { prepare });
    await page.getByRole("region", { name: "Password" }).waitFor();
    away = true;
    for (const name of ["Experiments", "Trends"]) {
      await page.getByRole("link", { name, exact: true }).click();
      await page.getByRole("alert").filter({ hasText: "This page could not be loaded" }).waitFor();
    }
    assert.equal(new URL(page.url()).origin, url());
    away = false;
    await page.getByRole("heading", { level: 1, name: "Trends" }).waitFor();
    await close();
  });

  it("is none where the browser believes to be offline and the service answers, as one on the same machine does", async () => {
    const { page, close } = await open("/agents");
    await page.getByRole("table", { name: "Agents" }).waitFor();
    await page.evaluate(() => globalThis.dispatchEvent(new Event("offline")));
    await page.getByRole("link", { name: "Datasets", exact: true }).click();
    await page.getByRole("table", { name: "Datasets" }).waitFor();
    await close();
  });

  it("keeps what somebody has written when their session ends meanwhile", async () => {
    const { data: [{ id: item }] } = await request("GET", `/datasets/${dataset}/items`);
    let ended = false;
    const over = ending(() => ended);
    const { page, close } = await open(`/datasets/${dataset}?item=${item}`, { prepare: over });
    const goal = page.getByRole("textbox", { name: "Goal", exact: true });
    await goal.fill("Half an hour of work");
    ended = true;
    await page.getByRole("alert").filter({ hasText: "Sign in in a new tab" }).waitFor(); // by the page itself, since it has unsaved changes
    assert.equal(await goal.inputValue(), "Half an hour of work");
    await goal.fill("An hour of work");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("alert").filter({ hasText: "who are you?" }).waitFor();
    assert.equal(await goal.inputValue(), "An hour of work");
    ended = false;
    await page.evaluate(() => globalThis.dispatchEvent(new Event("visibilitychange")));
    await page.getByText("Sign in in a new tab").waitFor({ state: "hidden" });
    assert.ok(await page.getByRole("button", { name: "Save", exact: true }).isEnabled());
    await close();
  });

  for (const [path, label, verb, section] of [["/prompts?new=yes", "Text of the prompt", "Create"], ["/scorers?new=yes", "Phrase", "Create"], ["/settings/workspace", "Speech, per minute", "Save the prices"], ["/agents?open=new", "Number", "Create"], ["/datasets?new=yes", "Name", "Create"], ["/experiments/new", "Phone number"], ["/settings/keys", "What it is for"], ["/settings/members", "E-mail"], ["/settings/credentials", "Host"], ["/settings/account", "Name", "Save"], ["/settings/account", "New password"], ["/settings/workspace", "Name", undefined, "Another workspace"], ["/agents?open=sync", "Platform key"], [`/datasets/${dataset}?open=calls`, "Or call ids"]]) {
    it(`keeps what somebody has written when their session ends meanwhile: ${label} on ${path}`, async () => {
      let ended = false;
      const { page, close } = await open(path, { prepare: ending(() => ended) });
      const field = (section ? page.getByRole("region", { name: section }) : page).getByLabel(label);
      if (label === "Number") await page.getByRole("textbox", { name: "Name" }).fill("Desk");
      if (/prompts|scorers/.test(path)) await page.getByLabel("Slug").fill("half-an-hour");
      await field.fill("0.25");
      ended = true;
      if (verb) {
        await page.getByRole("button", { name: verb, exact: true }).click();
        await page.getByText("who are you?").first().waitFor();
      } else await page.evaluate(() => globalThis.dispatchEvent(new Event("visibilitychange")));
      await page.getByText("Sign in in a new tab").waitFor({ state: "attached" });
      assert.equal(await field.inputValue(), "0.25");
      await close();
    });
  }

  it("keeps the file of scenarios that somebody has chosen when their session ends", async () => {
    let ended = false;
    const { page, close } = await open(`/datasets/${dataset}?open=import`, { prepare: ending(() => ended) });
    await page.locator("input[type=file]").setInputFiles({ name: "hello.json", mimeType: "application/json", buffer: Buffer.from('[{"input":{"script":["wait_for_agent","hang_up"]}}]') });
    await page.getByText("The file is fine.").waitFor();
    ended = true;
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page.getByText("Sign in in a new tab").waitFor({ state: "attached" });
    await page.getByText("hello.json").waitFor();
    await close();
  });

  it("keeps the name of a view that somebody was saving when their session ended", async () => {
    let ended = false;
    const { page, close } = await open("/calls?origin=production", { prepare: ending(() => ended) });
    await page.getByRole("button", { name: "Saved views" }).click();
    await page.getByRole("menuitem", { name: "Save this view…" }).click();
    const field = page.getByRole("textbox", { name: "Name" });
    await field.fill("Calls of production");
    ended = true;
    await page.evaluate(() => globalThis.dispatchEvent(new Event("visibilitychange")));
    await page.getByText("Sign in in a new tab").waitFor({ state: "attached" });
    assert.equal(await field.inputValue(), "Calls of production");
    await close();
  });

  it("asks about what is written before somebody signs out or switches the workspace, and once", async () => {
    for (const [menu, item] of [[/^Signed in as/, "Sign out"], [/^Workspace /, "Elsewhere"]]) {
      let left = 0;
      const leaving = (page) => page.route((address) => address.pathname === session, (route) => {
        if (route.request().method() === "GET") return route.continue();
        left++;
        return route.fulfill({ status: 204 });
      });
      const { page, close } = await open("/settings/account", { prepare: leaving });
      const questions = [];
      page.on("dialog", (question) => {
        questions.push(question.message());
        void (questions.length === 1 ? question.dismiss() : question.accept());
      });
      await page.getByLabel("New password").fill("half an hour of work");
      await page.getByRole("button", { name: menu }).click();
      await page.getByRole("menuitem", { name: item }).click();
      await eventually(() => assert.match(questions.join(), /without saving/));
      assert.deepEqual([left, await page.getByLabel("New password").inputValue()], [0, "half an hour of work"]);
      await page.getByRole("menuitem", { name: item }).click();
      await page.waitForURL((address) => address.pathname !== "/settings/account");
      assert.deepEqual([left, questions.length], [1, 2]);
      await close();
    }
  });

  it("asks before a dialog is left in which somebody has written", async () => {
    for (const [path, label] of [["/prompts?new=yes", "Text of the prompt"], ["/scorers?new=yes", "Phrase"]]) {
      const { page, close } = await open(path);
      const questions = [];
      page.on("dialog", (question) => {
        questions.push(question.message());
        void question.dismiss();
      });
      await page.getByLabel(label).fill("Half an hour of work");
      await page.keyboard.press("Escape");
      await eventually(() => assert.match(questions.join(), /^Leave without saving/));
      assert.equal(await page.getByLabel(label).inputValue(), "Half an hour of work");
      await close();
    }
  });

  it("is loaded anew when a newer service has taken the place of the one that it came from", async () => {
    let gone = true;
    const renamed = (page) => page.route((address) => gone && address.pathname.startsWith("/assets/") && address.pathname.endsWith(".css"), (route) => route.fulfill({ status: 404, body: "not found" }));
    const { page, close } = await open(Still);
    await page.getByRole("region", { name: "Password" }).waitFor();
    await renamed(page);
    page.on("request", (sent) => sent.isNavigationRequest() && (gone = false)); // the app comes with its new parts
    await page.getByRole("link", { name: "Experiments" }).click();
    await page.getByRole("table", { name: "Experiments" }).waitFor();
    await page.waitForURL(/\/experiments$/);
    await close();
  });

  it("leads to the sign-in when the session is over, and back", async () => {
    const { page, close } = await open("/calls?origin=production", { as: "nobody" });
    await page.waitForURL((address) => address.pathname === "/sign-in" && address.searchParams.get("to") === "/calls?origin=production");
    assert.equal(new URL(page.url()).origin, url());
    await close();
  });
});
