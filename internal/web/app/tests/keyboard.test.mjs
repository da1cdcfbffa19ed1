// Every page by keyboard: whatever can be pressed can be reached, the focus is visible, and Escape leads back.
import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { places, ready } from "./pages.mjs";
import { pressAll } from "./press.mjs";
import { quit, settled, walker } from "./service.mjs";

after(quit);

const all = await places();

/** harmless refuses every request that would change something. */
const harmless = (page) =>
  page.route((address) => address.pathname.startsWith("/api/rest/"), (route) =>
    route.request().method() === "GET" ? route.continue() : route.fulfill({ status: 409, contentType: "application/problem+json", body: '{"status":409,"code":"conflict","detail":"not now"}' }));

const walk = walker({ prepare: harmless });
const pressed = new Set();

describe("with the keyboard alone", () => {
  for (const place of all) {
    it(`${place.path} can be used`, async () => {
      const { page, done } = await walk(place.path);
      await ready(page, place);
      await settled(page);
      await page.keyboard.press("Tab");
      await page.keyboard.press("Tab");
      assert.deepEqual(await page.evaluate(unseen), [], "where one is cannot be seen");
      assert.deepEqual(await page.evaluate(unreachable), [], "can be pressed by mouse alone");
      assert.deepEqual(await lost(page, place), []);
      done();
    });
  }
});

describe("who goes up through a long table", () => {
  it("sees the row where they are, not the head over it", async () => {
    const { page, done } = await walk("/calls");
    await page.getByRole("table", { name: "Calls" }).getByRole("link").first().waitFor();
    await settled(page);
    for (let n = 0; n < 40; n++) await page.keyboard.press("j");
    const covered = [];
    for (let n = 0; n < 38; n++) {
      await page.keyboard.press("k");
      covered.push(await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => {
        const { x, y, height } = document.activeElement.getBoundingClientRect();
        drawn(document.elementFromPoint(x + 3, y + height / 2)?.closest("tbody") ? 0 : 1);
      }))));
    }
    assert.equal(covered.filter(Boolean).length, 0);
    done();
  });
});

/** lost presses every button and lists where the focus did not go into what opened, or did not return when Escape closed it. */
async function lost(page, place) {
  const faults = [];
  if (place.shows[0] === "dialog") {
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" }).catch(() => faults.push("Escape does not close the dialog"));
    return faults;
  }
  await pressAll(page, {
    before: pressed,
    opened: async (name, role) => {
      const inside = await waitFor(page, () => document.activeElement.closest("[role=dialog], [role=menu]") !== null);
      if (!inside) faults.push(`${name}: the ${role} does not take the focus`);
      await page.keyboard.press("Escape");
      if (!(await waitFor(page, () => document.querySelector("[role=dialog], [role=menu]") === null))) return faults.push(`${name}: Escape does not close the ${role}`);
      if (!(await waitFor(page, () => document.activeElement === globalThis.pressed || !globalThis.pressed.isConnected))) faults.push(`${name}: the focus does not come back from the ${role}`);
    },
  });
  return faults;
}

const waitFor = (page, met) => page.waitForFunction(met, null, { timeout: 10_000 }).then(() => true, () => false);

/** unseen runs in the page: it lists what looks the same with and without the focus. */
function unseen() {
  const still = new CSSStyleSheet();
  still.replaceSync("* { transition: none !important; animation: none !important; }");
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, still];
  const around = (el) => [el, el.parentElement, el.parentElement?.parentElement, el.nextElementSibling, el.labels?.[0]].filter(Boolean);
  const look = (el) => around(el).map((each) => {
    const { outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor, backgroundColor, textDecorationLine } = getComputedStyle(each);
    return [outlineStyle, outlineStyle === "none" ? "" : outlineWidth + outlineColor, boxShadow, borderColor, backgroundColor, textDecorationLine].join();
  }).join(" | ");
  const found = new Set();
  const alike = new Map(); // how many with the same classes and styles, such as cells of a column, were checked: three are enough
  const dress = (el) => around(el).slice(0, 3).map((each) => `${each.tagName}.${each.getAttribute("class")} ${each.getAttribute("style")}`).join() + el.type;
  for (const el of document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")) {
    if (el.disabled || el.tabIndex < 0 || el.offsetParent === null || el.type === "hidden" || el.type === "file" || el.hasAttribute("data-focus-guard")) continue;
    const seen = alike.get(dress(el)) ?? 0;
    alike.set(dress(el), seen + 1);
    if (seen >= 3) continue;
    const before = el === document.activeElement ? "" : look(el);
    el.focus();
    if (document.activeElement === el && look(el) === before) found.add(`${el.tagName.toLowerCase()} ${el.getAttribute("aria-label") ?? el.textContent.slice(0, 30)}`);
  }
  return [...found].slice(0, 10);
}

/** unreachable runs in the page: it lists what handles clicks and contains nothing that can have the focus. */
function unreachable() {
  const reached = "a[href], button, input, select, textarea, summary, label, [tabindex]:not([tabindex='-1'])";
  const found = new Set();
  for (const el of document.querySelectorAll("main *, [role=dialog] *")) {
    const key = Object.keys(el).find((name) => name.startsWith("__reactProps$"));
    if (!key || !el[key].onClick || el.closest(reached) || el.closest("[role=tablist], [role=radiogroup], [role=grid], [role=menu], [role=listbox]") || el.querySelector(reached)) continue;
    found.add(`${el.tagName.toLowerCase()}.${el.className} ${el.textContent.slice(0, 30)}`);
  }
  return [...found];
}
