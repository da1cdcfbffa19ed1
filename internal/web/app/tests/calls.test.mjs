import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { demo, eventually, open, quit, request, settled, textOf } from "./service.mjs";

after(quit);

let simulated; // a call with a recording
let production; // one without

before(async () => {
  simulated = (await request("GET", `/calls?voice_experiment_id=${(await demo()).id}&status=ENDED&limit=50`)).data.find((call) => call.recording_url && call.verdict !== "void");
  const records = (await request("GET", "/calls?origin=production&limit=500")).data;
  production = records.find((call) => !call.recording_url && String(call.metadata.customer).includes("<script>")) ?? records.find((call) => !call.recording_url);
  assert.ok(simulated && production);
});

describe("the list of calls", () => {
  it("keeps its filters in the address, shows them as chips, and lets go of them", async () => {
    const { page, close } = await open("/calls?origin=nonsense&last=x&verdict=failed");
    const chips = page.getByRole("group", { name: "Active filters" });
    await chips.getByText("failed").waitFor();
    await page.getByLabel("Origin").selectOption("production");
    await page.waitForURL(/origin=production/);
    assert.match(page.url(), /verdict=failed/);
    await page.reload();
    await chips.getByText("production").waitFor();
    await chips.getByRole("button", { name: "Remove failed" }).click();
    await page.waitForURL((url) => !url.search.includes("verdict"));
    await chips.getByText("Clear all").click();
    await page.waitForURL((url) => url.search === "");
    await close();
  });

  it("does what is pressed while a search is still only typed", async () => {
    const { page, close } = await open("/calls?verdict=failed&origin=production");
    const search = page.getByRole("searchbox", { name: "Search by id or number" });
    const chips = page.getByRole("group", { name: "Active filters" });
    const queryIs = (wanted) => page.waitForURL((url) => JSON.stringify(Object.fromEntries(url.searchParams)) === JSON.stringify(wanted));
    await chips.getByText("failed").waitFor();
    await search.fill("call_");
    await chips.getByRole("button", { name: "Remove failed" }).click();
    await queryIs({ origin: "production", q: "call_" });
    await search.fill("call_none");
    await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download CSV" }).click()]);
    await queryIs({ origin: "production", q: "call_none" });
    await search.fill("call_");
    await chips.getByText("Clear all").click();
    await queryIs({});
    assert.equal(await search.inputValue(), "");
    await close();
  });

  it("gives who comes back from a call its row again, with the keyboard", async () => {
    const { page, close } = await open("/calls");
    await page.getByRole("table", { name: "Calls" }).getByRole("link").first().waitFor();
    for (let n = 0; n < 3; n++) await page.keyboard.press("j");
    const row = await page.evaluate(() => document.activeElement.getAttribute("href"));
    await page.keyboard.press("Enter");
    await page.waitForURL((address) => address.pathname === row);
    await settled(page);
    await page.goBack();
    await page.waitForFunction((href) => document.activeElement.getAttribute("href") === href, row);
    await close();
  });

  it("takes no year that is not typed to its end, or has a digit too many", async () => {
    const { page, close } = await open("/calls");
    await page.getByRole("button", { name: "Between" }).click();
    for (const year of ["0202", "20261"]) {
      await page.getByLabel("From").fill(`${year}-11-20T00:00`);
      await page.getByRole("button", { name: "Show these calls" }).click();
      assert.equal(await page.getByLabel("From").evaluate((field) => field.validity.valid), false, year);
    }
    await page.getByLabel("From").fill("2026-11-20T00:00");
    await page.getByRole("button", { name: "Show these calls" }).click();
    await page.waitForURL((url) => url.searchParams.has("from"));
    await close();
  });

  it("takes keys and values of metadata as long as the interface does", async () => {
    const { page, close } = await open("/calls");
    const [key, value] = ["k".repeat(256), "v".repeat(1000)];
    await page.getByRole("button", { name: "Metadata" }).click();
    await page.getByRole("textbox", { name: "Key" }).fill(key);
    await page.getByRole("textbox", { name: "Value" }).fill(value);
    await page.getByRole("button", { name: "Show these calls" }).click();
    await page.waitForURL((url) => url.search.includes(`${key}=${value}`) || url.search.includes(`${key}%3D${value}`));
    await close();
  });

  it("shows a call's verdict on a telephone without a swipe", async () => {
    const { page, close } = await open("/calls?origin=simulated", { width: 360 });
    const heads = page.getByRole("table", { name: "Calls" }).getByRole("columnheader");
    await heads.filter({ hasText: "Verdict" }).waitFor();
    await settled(page);
    const titles = await heads.allTextContents();
    assert.ok(titles.indexOf("Verdict") < titles.indexOf("Origin"), String(titles));
    for (const mark of await page.locator("table[aria-label=Calls] tbody tr td:nth-child(3) > *").all()) {
      const { x, width } = await mark.boundingBox();
      assert.ok(width > 0 && x >= 0 && x + width <= 360, `${await mark.textContent()} stands at ${x} to ${x + width}`);
    }
    await close();
  });

  it("says of each failing call why it is one", async () => {
    const { id } = await demo(); // whose calls change no more
    const { data } = await request("GET", `/calls?voice_experiment_id=${id}&verdict=failed&limit=1`);
    const { page, close } = await open(`/calls?origin=simulated&experiment=${id}&failing=any`);
    const row = page.getByRole("row").filter({ has: page.locator(`a[href="/calls/${data[0].id}"]`) });
    await row.getByText(data[0].verdict_reason, { exact: true }).waitFor();
    await page.goto(new URL("/calls?origin=production&failing=any&verdict=passed", page.url()).href);
    await page.getByText("The platform reported it as unsuccessful.").first().waitFor();
    await page.goto(new URL("/calls?origin=production", page.url()).href);
    await page.getByRole("columnheader", { name: "Verdict", exact: true }).waitFor();
    await settled(page);
    assert.equal(await page.getByText("The platform reported it as unsuccessful.").count(), 0);
    await close();
  });

  it("finds a call by its id, and says when there is none", async () => {
    const { page, close } = await open("/calls");
    const search = page.getByRole("searchbox", { name: "Search by id or number" });
    await search.fill(simulated.id);
    await search.press("Enter");
    await page.waitForURL(/q=call_/);
    await page.waitForFunction(() => document.querySelectorAll("table[aria-label=Calls] tbody tr a").length === 1);
    await search.fill("call_nothing");
    await search.press("Enter");
    await page.getByText("No call matches").waitFor();
    await close();
  });

  it("draws the rows on the screen alone, and loads more towards the end", async () => {
    const { page, close } = await open("/calls?origin=production");
    await page.getByRole("table", { name: "Calls" }).waitFor();
    await eventually(async () => {
      await page.mouse.wheel(0, 4000);
      assert.match(await page.textContent("main"), /[2-9]\d\d shown/);
    });
    assert.ok((await page.locator("table[aria-label=Calls] tbody tr").count()) < 120);
    await close();
  });

  it("leaves who goes back to the top there, whatever comes at that moment", async () => {
    const late = (page) => page.route(/rest\/calls\?.*cursor=/, async (route) => {
      await new Promise((passed) => setTimeout(passed, 400)); // until the rows at the end have been measured
      await route.continue();
    });
    const { page, close } = await open("/calls?origin=production", { prepare: late });
    await page.getByRole("table", { name: "Calls" }).waitFor();
    await settled(page);
    await page.evaluate(upWhenRowsCome);
    await page.evaluate(() => globalThis.scrollTo(0, document.documentElement.scrollHeight));
    await page.waitForFunction(() => globalThis.gone);
    await settled(page);
    assert.equal(await page.evaluate(() => globalThis.scrollY), 0);
    await close();
  });

  it("takes the calls that the filters leave along as a table", async () => {
    const { id: run } = await demo(); // whose calls change no more
    const { data } = await request("GET", `/calls?voice_experiment_id=${run}&verdict=failed&limit=1000`);
    const { page, close } = await open(`/calls?origin=simulated&experiment=${run}&verdict=failed`);
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download CSV" }).click()]);
    assert.match(file.suggestedFilename(), /^calls-\d{4}-\d\d-\d\d\.csv$/);
    const lines = (await textOf(file)).split("\r\n").filter(Boolean);
    assert.match(lines[0], /^\uFEFFid,began_utc,origin,agent,/);
    assert.deepEqual(lines.slice(1).map((line) => line.split(",")[0]), data.map(({ id }) => id));
    await page.getByRole("button", { name: "Download CSV" }).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Download CSV"); // the focus stays on the button
    await close();
  });

  it("leads with chosen calls to scenarios", async () => {
    const { page, close } = await open("/calls?origin=production");
    await page.getByRole("checkbox", { name: /^Choose call_/ }).first().check();
    await page.getByRole("link", { name: "Make scenarios from it" }).click();
    await page.waitForURL(/\/datasets\?from_calls=call_/);
    await close();
  });

  it("keeps whoever presses a button by key near it when the button is gone", async () => {
    const newest = (page) => page.route((address) => address.pathname === "/api/rest/calls", async (route) => {
      if (new URL(route.request().url()).searchParams.get("limit") === "1") return route.fulfill({ json: { data: [{ id: "call_newer" }], next_cursor: null } });
      const list = await (await route.fetch()).json(); // as long as one is under review, nobody asks for newer ones
      return route.fulfill({ json: { ...list, data: list.data.map((call) => ({ ...call, scoring_status: "SCORED" })) } });
    });
    const { page, close } = await open("/calls?origin=production&q=nobody", { prepare: newest });
    const press = async (name) => {
      await page.getByRole("button", { name }).press("Enter");
      await page.getByRole("button", { name }).waitFor({ state: "detached" });
      return page.evaluate(() => document.activeElement.getAttribute("aria-label"));
    };
    assert.equal(await press("Show all calls"), "Search by id or number");
    await page.getByRole("checkbox", { name: /^Choose call_/ }).first().check();
    assert.equal(await press("Clear selection"), "Calls");
    assert.equal(await press("Show them"), "Search by id or number");
    await close();
  });

  it("opens a call with the keyboard, and goes on to its neighbours", async () => {
    const { page, close } = await open("/calls?origin=production");
    const links = page.getByRole("table", { name: "Calls" }).getByRole("link");
    await links.first().waitFor();
    await page.keyboard.press("j"); // from wherever the focus is
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/calls\/call_/);
    const here = page.url();
    await page.getByRole("link", { name: "Next call in the list" }).click();
    await page.waitForURL((url) => url.href !== here && url.pathname.startsWith("/calls/call_"));
    await close();
  });
});

describe("the page of a call", () => {
  it("goes to the last of two thousand turns with one key, and back", async () => {
    const longer = async (route) => {
      const call = await (await route.fetch()).json();
      const turns = Array.from({ length: 2000 }, (_, index) => ({ ...call.turns[0], index, speaker: index % 2 ? "caller" : "agent", text: `Turn number ${index}.`, start_ms: 900 * index, end_ms: 900 * index + 800 }));
      await route.fulfill({ json: { ...call, turns } });
    };
    const { page, close } = await open(`/calls/${production.id}`, { prepare: (page) => page.route((address) => address.pathname === `/api/rest/calls/${production.id}`, longer) });
    const words = page.getByRole("region", { name: "Words" });
    await words.getByText("Turn number 0.").waitFor();
    await words.focus();
    await page.keyboard.press("End");
    await words.getByText("Turn number 1999.").waitFor();
    await page.keyboard.press("Home");
    await words.getByText("Turn number 0.").waitFor();
    await close();
  });

  it("tells in words when it was, to the second and with the zone", async () => {
    const { page, close } = await open(`/calls/${simulated.id}`);
    const zone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
    const seconds = String(new Date(simulated.started_at).getUTCSeconds()).padStart(2, "0");
    await page.getByText(new RegExp(`:${seconds}\\b.* ${zone} \\(`)).first().waitFor();
    await close();
  });

  it("plays, pauses and moves by keys, and keeps the second in the address", async () => {
    const { page, close } = await open(`/calls/${simulated.id}?t=3`);
    const place = page.getByRole("slider", { name: "Position in the call" });
    await place.waitFor();
    assert.equal(await place.getAttribute("aria-valuenow"), "3");
    await page.keyboard.press("ArrowRight");
    await page.waitForURL(/t=8/);
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Pause" }).waitFor();
    await page.waitForFunction(() => Number(document.querySelector("[role=slider]").getAttribute("aria-valuenow")) >= 9);
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Play", exact: true }).waitFor();
    // It went on playing until the key arrived.
    const second = (url) => Number(url.searchParams.get("t"));
    await page.waitForURL((url) => second(url) >= 9);
    const left = second(new URL(page.url()));
    await page.keyboard.press("ArrowLeft");
    await page.waitForURL((url) => Math.abs(second(url) - (left - 5)) < 0.15);
    await close();
  });

  it("goes to the second of a turn and marks it, and finds words", async () => {
    const { page, close } = await open(`/calls/${simulated.id}`);
    const words = page.getByRole("region", { name: "Words" });
    await words.getByRole("button", { name: /^Go to/ }).nth(2).click();
    await page.waitForURL(/t=\d/);
    await words.locator("[aria-current=true]").waitFor();
    const search = page.getByRole("searchbox", { name: "Search the transcript" });
    await search.fill("zzzz no such words");
    await page.getByText("0 found").waitFor();
    await close();
  });

  it("plays with the space bar after a click on a turn's time, and faster with a key", async () => {
    const { page, close } = await open(`/calls/${simulated.id}`);
    const words = page.getByRole("region", { name: "Words" });
    await words.getByRole("button", { name: /^Go to/ }).nth(1).click();
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Pause" }).waitFor();
    await page.keyboard.press(">");
    await page.waitForFunction(() => document.querySelector("select[aria-label=Speed]").value === "1.25");
    await page.keyboard.press("<");
    await page.waitForFunction(() => document.querySelector("select[aria-label=Speed]").value === "1");
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Play", exact: true }).waitFor();
    await close();
  });

  it("plays a recording that is there again", async () => {
    let gone = true;
    const prepare = (page) => page.route("**/recording", (route) => (gone ? route.fulfill({ status: 503, body: "" }) : route.continue()));
    const { page, close } = await open(`/calls/${simulated.id}`, { prepare });
    const again = page.getByRole("alert").getByRole("button", { name: "Try again" });
    await again.waitFor();
    gone = false;
    await again.click();
    await page.getByText("cannot be played right now").waitFor({ state: "detached" });
    await page.keyboard.press("Space");
    await page.waitForFunction(() => Number(document.querySelector("[role=slider]").getAttribute("aria-valuenow")) >= 1);
    await close();
  });

  it("shows the tab that is open, also where not all tabs have room", async () => {
    const { page, close } = await open(`/calls/${simulated.id}?tab=raw`, { width: 360 });
    const tab = page.getByRole("tab", { name: "Raw" });
    await tab.waitFor();
    await settled(page);
    const { x, width } = await tab.boundingBox();
    assert.ok(x >= 0 && x + width <= 360, `it stands at ${x} to ${x + width}`);
    await close();
  });

  it("says when the recording cannot be played, and shows all else", async () => {
    const prepare = (page) => page.route("**/recording", (route) => route.fulfill({ status: 503, body: "" }));
    const { page, close } = await open(`/calls/${simulated.id}`, { prepare });
    await page.getByText("cannot be played right now").waitFor();
    await page.getByRole("region", { name: "Words" }).waitFor();
    await close();
  });

  it("has no controls of sound for a call without a recording", async () => {
    const { page, close } = await open(`/calls/${production.id}`);
    await page.getByText("There is no recording of this call").waitFor();
    assert.equal(await page.getByRole("button", { name: "Play", exact: true }).isDisabled(), true);
    await close();
  });

  it("shows texts from outside as text", async () => {
    const { page, close } = await open(`/calls/${production.id}?tab=details`);
    await page.getByText("<script>").first().waitFor();
    assert.doesNotMatch(await page.title(), /broken/);
    await close();
  });

  it("does not know calls of others", async () => {
    const { page, close } = await open("/calls/call_01hzzzzzzzzzzzzzzzzzzzzzzz");
    await page.getByRole("alert").waitFor();
    await close();
  });

  it("says that a call is void before all else", async () => {
    const prepare = (page) =>
      page.route(`**/api/rest/calls/${simulated.id}`, async (route) => {
        const answer = await route.fetch();
        await route.fulfill({ response: answer, json: { ...(await answer.json()), verdict: "void", verdict_reason: "our own voice came late" } });
      });
    const { page, close } = await open(`/calls/${simulated.id}`, { prepare });
    await page.getByRole("note").filter({ hasText: "does not count against the agent" }).waitFor();
    await page.getByText("our own voice came late").first().waitFor();
    await close();
  });
});

/** upWhenRowsCome runs in the page: it scrolls to the top at the moment when further rows have arrived and are not drawn yet, before there is a scroll event. */
function upWhenRowsCome() {
  const read = Response.prototype.text;
  Response.prototype.text = async function text() {
    const body = await read.call(this);
    if (this.url.includes("cursor=")) {
      globalThis.scrollTo(0, 0);
      globalThis.gone = true;
    }
    return body;
  };
}
