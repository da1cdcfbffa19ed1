import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { demo, open, quit, request, settled, support, url } from "./service.mjs";

after(quit);

/** telling lets the service answer that so many calls wait for their review. */
const telling = (n) => (page) => page.route((address) => address.pathname === "/api/rest/monitoring/overview", async (route) => {
  const unreviewed = n();
  await route.fulfill({ json: { ...(await (await route.fetch()).json()), unreviewed, pending: unreviewed && 1 } });
});

describe("calls that have come and wait for their review", () => {
  it("are told beside the figures, which do not speak of them yet", async () => {
    const { page, close } = await open("/", { prepare: telling(() => 3) });
    await page.getByRole("region", { name: "Current health" }).getByText("3 calls are waiting for review").waitFor();
    await close();
  });

  it("are no empty workspace", async () => {
    let n = 1000;
    const { page, close } = await open("/", { as: "stranger", prepare: telling(() => n) });
    await page.getByText("1,000 or more calls are waiting for review").waitFor();
    assert.equal(await page.getByText("No production calls yet").count(), 0);
    n = 0;
    await page.getByText("No production calls yet").waitFor();
    await close();
  });

  it("are told from calls of long ago", async () => {
    const old = (page) => page.route("**/calls?*limit=1", (route) => route.fulfill({ json: { data: [{ id: "call_1" }], next_cursor: null } }));
    const { page, close } = await open("/", { as: "stranger", prepare: old });
    await page.getByRole("heading", { name: "No production calls in 29 days" }).waitFor();
    assert.equal(await page.getByRole("link", { name: "Send production calls" }).getAttribute("href"), "/calls?origin=production");
    await close();
  });
});

describe("the course of the figures", () => {
  it("says when the service refuses it, though the figures are there, and leads to the present", async () => {
    const { page, close } = await open("/?from=1&until=2");
    await page.getByRole("alert").filter({ hasText: "The time in the address cannot be shown" }).waitFor();
    await page.getByRole("button", { name: "Show the latest" }).click();
    await page.getByRole("alert").waitFor({ state: "detached" });
    await page.waitForURL((url) => !url.search.includes("from="));
    await close();
  });
});

describe("a workspace of more agents than one page of them holds", () => {
  const far = { id: "agt_01hzzzzzzzzzzzzzzzzzzzzzzz", name: "the last of them", sourceId: null, defaults: {}, created_at: 0, updated_at: 0 };
  const pages = (page) => page.route((address) => address.pathname === "/api/rest/agents", async (route) => {
    const further = new URL(route.request().url()).searchParams.get("cursor") === "further";
    const answer = further ? { data: [far], next_cursor: null } : { ...(await (await route.fetch()).json()), next_cursor: "further" };
    await route.fulfill({ json: answer });
  });

  it("narrows to each of them, and calls it by its name", async () => {
    for (const path of ["/monitor/trends", "/calls"]) {
      const { page, close } = await open(`${path}?agent=${far.id}`, { prepare: pages });
      await page.waitForFunction((id) => document.querySelector("select[aria-label=Agent]")?.selectedOptions[0]?.textContent === "the last of them" && document.querySelector("select[aria-label=Agent]").value === id, far.id);
      await close();
    }
  });

  it("says which one is chosen where no list has it", async () => {
    const { page, close } = await open("/monitor/trends?agent=agt_01hyyyyyyyyyyyyyyyyyyyyyyy");
    await page.waitForFunction(() => document.querySelector("select[aria-label=Agent]")?.value === "agt_01hyyyyyyyyyyyyyyyyyyyyyyy");
    await close();
  });
});

describe("the figures of the overview", () => {
  it("have their whole names on a telephone", async () => {
    const { page, close } = await open("/", { width: 390 });
    await page.getByText("above usual").first().waitFor();
    await settled(page);
    const cut = await page.locator("a.rt-panel p").evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent));
    assert.deepEqual(cut, []);
    await close();
  });
});

/** entangled runs in the page: it lists the parts of the first departure whose text overlaps that of another part. */
function entangled(row) {
  const boxes = [...row.children].map((part) => {
    const words = document.createRange();
    words.selectNodeContents(part);
    return words.getBoundingClientRect();
  });
  return boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => a.right > b.left + 1 && b.right > a.left + 1 && a.bottom > b.top + 2 && b.bottom > a.top + 2)).length;
}

describe("what departed from the usual", () => {
  it("has its parts beside each other, also where letters are twice as large", async () => {
    const { page, close } = await open("/", { width: 1024 });
    const row = page.getByRole("list", { name: "What departed from the usual" }).getByRole("listitem").filter({ hasText: "How they failed" }).first();
    await row.waitFor();
    for (const [width, size] of [[1024, "100%"], [1280, "200%"], [1024, "200%"]]) {
      await page.setViewportSize({ width, height: 800 });
      await page.evaluate((fontSize) => Object.assign(document.documentElement.style, { fontSize }), size);
      assert.equal(await row.evaluate(entangled), 0, `${size} at ${width} px`);
    }
    await close();
  });
});

describe("pages of monitoring", () => {
  it("tells of the bad day, and leads to the calls behind it", async () => {
    const { page, close } = await open("/");
    await page.getByText("not healthy").first().waitFor();
    await page.getByText(/of the agents are those of the last 24 hours, including the current one/).waitFor(); // their sum is another than the calls above
    const departed = page.getByRole("list", { name: "What departed from the usual" }).getByRole("listitem").first();
    await departed.getByRole("link", { name: "Calls", exact: true }).click();
    await page.waitForURL(/\/calls\?.*from=\d+&until=\d+/);
    await page.getByRole("table", { name: "Calls" }).waitFor();
    await page.goBack();
    await departed.getByRole("link").first().click();
    await page.waitForURL(/\/monitor\/trends\?.*metric=/);
    await page.goBack();
    await page.getByRole("link", { name: "support" }).click();
    await page.waitForURL(/agent=agt_/);
    await page.getByRole("link", { name: /Upset callers/ }).first().click();
    await page.getByText(/I already told you|not listening|third time/).first().waitFor();
    await page.getByRole("table", { name: "Upset callers" }).getByRole("link").first().click();
    await page.waitForURL(/\/calls\/call_/);
    await close();
  });

  it("leads from each place where callers left to exactly those calls", async () => {
    const { page, close } = await open(`/monitor/drop-off?last=28d&agent=${(await support()).id}`);
    for (const by of ["By time", "By turns"]) {
      await page.getByText(by, { exact: true }).first().click();
      const funnel = page.getByRole("table", { name: `Callers who were still there, ${by.toLowerCase()}` });
      const counted = funnel.locator("td:last-child a");
      await counted.first().waitFor();
      for (const i of [0, (await counted.count()) - 1]) {
        const n = Number((await counted.nth(i).textContent()).replace(/\D/g, ""));
        await counted.nth(i).click();
        await page.waitForURL(/\/calls\?.*left=/);
        await page.waitForFunction((rows) => globalThis.document.querySelector('table[aria-label="Calls"]')?.getAttribute("aria-rowcount") === rows, String(n + 1));
        await page.getByText(/^left early/).first().waitFor();
        await page.goBack();
        await counted.first().waitFor();
      }
    }
    const last = page.getByRole("table", { name: "Last words before callers left" }).locator("td:last-child a");
    const n = Number((await last.first().textContent()).replace(/\D/g, ""));
    await last.first().click();
    await page.waitForURL(/left=words/);
    await page.waitForFunction((rows) => globalThis.document.querySelector('table[aria-label="Calls"]')?.getAttribute("aria-rowcount") === rows, n > 100 ? "-1" : String(n + 1));
    await close();
  });

  it("leads from a group of failing calls, and from all of them, to exactly those calls", async () => {
    const { page, close } = await open(`/monitor/failures?last=28d&agent=${(await support()).id}`);
    const counted = page.getByRole("table", { name: "Groups of failing calls" }).locator("td:nth-child(3) a");
    await counted.first().waitFor();
    for (const link of [counted.first(), counted.last(), page.getByRole("link", { name: /^[\d,]+ of [\d,]+ calls$/ })]) {
      const n = Number((await link.textContent()).replace(/ of.*|\D/g, ""));
      await link.click();
      await page.waitForURL(/\/calls\?.*failing=/);
      await page.getByText(/^failing/).first().waitFor();
      await page.waitForFunction((rows) => globalThis.document.querySelector('table[aria-label="Calls"]')?.getAttribute("aria-rowcount") === rows, n > 100 ? "-1" : String(n + 1));
      await page.goBack();
      await counted.first().waitFor();
    }
    await close();
  });

  it("leads from upset callers to exactly those calls, also where what is asked for is no whole hours", async () => {
    const hour = 3_600_000;
    const now = Math.floor(Date.now() / hour) * hour;
    const { page, close } = await open(`/monitor/upset?from=${now - 28 * 24 * hour + 780_000}&until=${now - hour + 420_000}&agent=${(await support()).id}`);
    const link = page.getByRole("link", { name: /^[\d,]+ of [\d,]+ callers?$/ });
    const n = Number((await link.textContent()).replace(/ of.*|\D/g, ""));
    await link.click();
    await page.waitForURL((address) => Number(address.searchParams.get("from")) === now - 28 * 24 * hour && Number(address.searchParams.get("until")) === now);
    await page.waitForFunction((rows) => globalThis.document.querySelector('table[aria-label="Calls"]')?.getAttribute("aria-rowcount") === rows, n > 100 ? "-1" : String(n + 1));
    await close();
  });

  it("keeps what is asked in the address, and forgives what is no question", async () => {
    const { page, close } = await open("/monitor/failures?last=28d&origin=nonsense&from=x");
    await page.getByRole("table", { name: "Groups of failing calls" }).waitFor();
    assert.equal(await page.getByRole("radio", { name: "28 days" }).isChecked(), true);
    await page.getByLabel("Agent").selectOption({ label: "support" });
    await page.waitForURL(/agent=agt_/);
    assert.match(page.url(), /last=28d/);
    await page.reload();
    await page.getByRole("table", { name: "Groups of failing calls" }).waitFor();
    assert.match(await page.getByLabel("Agent").inputValue(), /^agt_/);
    await close();
  });

  it("says of simulated calls that they have no anomalies, and does not ask", async () => {
    const asked = [];
    const { page, close } = await open("/monitor/anomalies?origin=simulated", { prepare: (page) => page.on("request", (request) => asked.push(new URL(request.url()).pathname)) });
    await page.getByText("Simulated calls have no anomalies").waitFor();
    assert.ok(!asked.includes("/api/rest/monitoring/anomalies"), asked.join());
    await close();
  });
  it("asks for no departures of simulated calls, which have none", async () => {
    const asked = [];
    const { page, close } = await open("/monitor/trends?origin=simulated", { prepare: (page) => page.on("request", (request) => asked.push(new URL(request.url()).pathname)) });
    await settled(page);
    assert.ok(asked.includes("/api/rest/monitoring/trends"));
    assert.ok(!asked.includes("/api/rest/monitoring/anomalies"));
    await close();
  });

  it("says why there is nothing to draw, instead of an empty page", async () => {
    const { page, close } = await open("/monitor/trends?metric=cost");
    await page.getByText("None of the calls in this time has this figure.").waitFor();
    await page.goto(`${url()}/monitor/trends?metric=nonsense`);
    await page.getByText("There is no figure “nonsense”.").waitFor();
    await close();
  });

  it("lets a viewer keep a view for themselves", async () => {
    const { page, errors, close } = await open("/monitor/failures?last=28d", { as: "viewer" });
    await page.getByRole("button", { name: "Saved views" }).click();
    await page.getByRole("menuitem", { name: "Save this view…" }).click();
    assert.equal(await page.getByRole("dialog").getByRole("checkbox").count(), 0);
    await page.getByLabel("Name").fill("mine alone");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    assert.deepEqual((await request("GET", "/saved-views")).data.filter(({ name }) => name === "mine alone"), []);
    await page.getByRole("button", { name: "Saved views" }).click();
    await page.getByRole("menuitem", { name: "Delete “mine alone”…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete the view" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    assert.deepEqual(errors, []);
    await close();
  });

  it("breaks down the time that is chosen, and leads to the course of a value in that time", async () => {
    const { page, close } = await open("/monitor/breakdown");
    const chosen = (name) => page.waitForFunction((label) => document.querySelector("input[type=radio]:checked")?.labels[0]?.textContent === label, name);
    const value = page.getByRole("table").getByRole("link", { name: "v41" });
    await chosen("28 days");
    assert.match(await value.getAttribute("href"), /last=28d/);
    await page.getByText("7 days", { exact: true }).click();
    await page.waitForURL(/last=7d/);
    await chosen("7 days");
    await page.getByText("28 days").click();
    await page.waitForURL((address) => !address.search.includes("last="));
    await chosen("28 days");
    await close();
  });

  it("keeps a narrowed page under a name", async () => {
    const { page, close } = await open("/monitor/failures");
    await page.getByRole("button", { name: "Saved views" }).click();
    assert.equal(await page.getByRole("menuitem", { name: "Save this view…" }).isDisabled(), true);
    await page.keyboard.press("ArrowDown");
    assert.equal(await page.evaluate(() => document.activeElement?.textContent?.trim()), "Save this view…");
    await page.keyboard.press("Escape");
    await page.getByText("28 days").click();
    await page.waitForURL(/last=28d/);
    await page.getByRole("button", { name: "Saved views" }).click();
    await page.getByRole("menuitem", { name: "Save this view…" }).click();
    await page.getByLabel("Name").fill("four weeks");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await page.goto(page.url().replace(/\?.*/, ""));
    await page.getByRole("button", { name: "Saved views" }).click();
    await page.getByRole("menuitem", { name: /^four weeks/ }).click();
    await page.waitForURL(/last=28d/);
    const remove = async (answer) => {
      await page.getByRole("button", { name: "Saved views" }).click();
      await page.getByRole("menuitem", { name: "Delete “four weeks”…" }).click();
      await page.getByRole("dialog").getByText("gone for everybody").waitFor();
      await page.getByRole("dialog").getByRole("button", { name: answer, exact: true }).click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.waitForFunction(() => document.activeElement?.textContent === "Saved views");
    };
    const kept = async () => (await request("GET", "/saved-views?page=monitor/failures")).data.filter(({ name }) => name === "four weeks").length;
    await remove("Cancel");
    assert.equal(await kept(), 1);
    await remove("Delete the view");
    assert.equal(await kept(), 0);
    await close();
  });

  it("draws shares of hours with few calls, too, and says what each point rests on", async () => {
    const { page, close } = await open("/monitor/trends?metric=failed_rate");
    await page.getByRole("img", { name: /^Latest .*highest (?!0\.0)[\d.]+ %/ }).press("End");
    await page.getByText(/\(\d+ of 1\d since .*\)/).waitFor();
    await close();
  });

  it("calls a day by its date, and not by a time of it", async () => {
    const { page, close } = await open("/monitor/trends?metric=calls&last=28d");
    await page.getByRole("img", { name: /^Latest/ }).press("End");
    await page.getByText(/^[A-Z][a-z]{2} \d+, \d{4} · \d/).waitFor();
    await close();
  });

  it("draws no fall of the calls in the hour that runs, and tells what has come so far", async () => {
    const { page, close } = await open("/monitor/trends?metric=calls");
    await page.getByRole("img", { name: /^Latest/ }).press("End");
    await page.getByText(/ · [\d,]+ so far$/).waitFor();
    await page.keyboard.press("ArrowLeft");
    await page.getByText(/ · [\d,]+ \(n [\d,]+\)/).waitFor();
    await close();
  });

  for (const path of ["/", "/monitor/trends", "/monitor/failures", "/monitor/drop-off", "/monitor/breakdown"]) {
    it(`leaves who reads it where they are when the hour ends: ${path}`, async () => {
      const { page, close } = await open(path, { prepare: (p) => p.clock.install({ time: Date.now() }) });
      await page.locator("main td a").last().waitFor({ state: "attached" }).catch(() => undefined);
      await page.locator("main section a, main td a").last().focus();
      const asked = page.waitForResponse((answer) => answer.url().includes("/monitoring/") && answer.url().includes("until="));
      await page.evaluate(() => {
        globalThis.emptied = false;
        new MutationObserver(() => (globalThis.emptied ||= document.querySelector(".mantine-Skeleton-root, [aria-label=Loading]") !== null)).observe(document.body, { childList: true, subtree: true });
      });
      await page.clock.fastForward("01:00:40");
      await asked;
      await page.clock.runFor(1000);
      assert.deepEqual(await page.evaluate(() => [globalThis.emptied, document.activeElement !== document.body]), [false, true]);
      await close();
    });
  }

  it("tells what is chosen where the system has colours of its own", async () => {
    const { page, close } = await open("/monitor/trends", { prepare: (p) => p.emulateMedia({ forcedColors: "active" }) });
    await settled(page);
    for (const chosen of [page.locator("label[data-active]", { hasText: "7 days" }), page.getByRole("link", { name: "Trends", exact: true })]) {
      assert.equal(await chosen.evaluate((each) => globalThis.getComputedStyle(each).outlineStyle), "solid");
    }
    await page.goto(`${url()}/monitor/drop-off?last=28d`);
    const bar = page.getByRole("table", { name: /still there/ }).locator("[aria-hidden] > div").first();
    assert.equal(await bar.evaluate((each) => globalThis.getComputedStyle(each).forcedColorAdjust), "none");
    const { data: [call] } = await request("GET", `/calls?voice_experiment_id=${(await demo()).id}&verdict=passed&limit=1`); // one that has a recording
    await page.goto(`${url()}/calls/${call.id}?tab=details`);
    assert.equal(await page.getByRole("tab", { name: "Details" }).evaluate((each) => globalThis.getComputedStyle(each).outlineStyle), "solid");
    const recording = page.getByRole("region", { name: "Recording" });
    const [canvas, ...drawn] = await recording.evaluate((region) => [document.body, ...region.querySelectorAll("[class*=head], [class*=mapHead], [class*=swatch]")].map((each) => getComputedStyle(each).backgroundColor));
    assert.ok(drawn.length >= 4 && !drawn.includes(canvas), `the place in the call and the signs of its legend are ${drawn} on ${canvas}`);
    await close();
  });

  it("zooms into a stretch that is dragged over", async () => {
    const { page, close } = await open("/monitor/trends?metric=calls");
    const chart = page.locator(".u-over");
    await settled(page);
    const box = await chart.boundingBox();
    await page.mouse.move(box.x + box.width * 0.3, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, box.y + 60, { steps: 5 });
    await page.mouse.up();
    await page.waitForURL(/from=\d+&until=\d+/);
    await page.getByRole("button", { name: "Back to the latest" }).click();
    await page.waitForURL((url) => !url.search.includes("from="));
    await close();
  });

  it("shows an error of the service with its hint, and works again after it", async () => {
    let broken = true;
    const prepare = (page) =>
      page.route("**/api/rest/monitoring/failures*", (route) =>
        broken
          ? route.fulfill({ status: 422, contentType: "application/problem+json", body: JSON.stringify({ status: 422, code: "invalid_fields", detail: "this is not possible", hint: "try another", errors: [{ path: "query.from", message: "is too early" }] }) })
          : route.continue(),
      );
    const { page, close } = await open("/monitor/failures", { prepare });
    const alert = page.getByRole("alert");
    await alert.waitFor();
    for (const words of ["this is not possible", "try another", "query.from", "is too early"]) assert.match(await alert.textContent(), new RegExp(words, "i"));
    broken = false;
    await page.getByText("28 days").click();
    await page.getByRole("table", { name: "Groups of failing calls" }).waitFor();
    await close();
  });
});
