// How every page looks: in both schemes, from a phone to a wide screen, on paper, and to axe.
import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { places, ready } from "./pages.mjs";
import { looks, open, quit, settled, url, violations, walker } from "./service.mjs";

after(quit);

const all = await places();
const walk = walker();

describe("every page is accessible and fits", () => {
  for (const place of all) {
    it(place.path, async () => {
      const { page, done } = await walk(place.path);
      await ready(page, place);
      await looks(page, place.path);
      done();
    });
  }

  for (const path of ["/sign-in", "/sign-in?refused=not_invited", "/setup", "/join", "/join?token=wrong", "/nothing/is/here"]) {
    it(`${path}, to somebody who has not signed in`, async () => {
      const { page, errors, close } = await open(path, { as: "nobody" });
      await looks(page, path);
      assert.deepEqual(errors, []);
      await close();
    });
  }

  it("and its menus", async () => {
    const { page, close } = await open("/calls");
    await settled(page);
    for (const name of [/^Signed in as/, "Saved views"]) {
      await page.getByRole("button", { name }).click();
      await page.getByRole("menuitem").first().waitFor();
      assert.deepEqual(await violations(page), [], String(name));
      await page.keyboard.press("Escape");
      await page.getByRole("menu").waitFor({ state: "hidden" });
    }
    await close();
  });

  for (const scheme of ["light", "dark"]) {
    it(`and shows where its fields and boxes are: ${scheme}`, async () => {
      for (const path of ["/calls", "/scorers?new=yes", "/prompts/pages-caller?edit=yes", "/settings/workspace"]) {
        const { page, close } = await open(path, { scheme });
        await settled(page);
        assert.deepEqual(await page.evaluate(pale), [], path);
        await close();
      }
    });
  }

  it("and has the buttons of a step large enough to be hit", async () => {
    const { page, close } = await open(all.find(({ shows: [, name], path }) => name === "Goal" && /item=di_/.test(path)).path);
    const tools = page.getByRole("button", { name: /^(Move|Duplicate|Remove) step/ });
    await tools.first().waitFor();
    const sizes = await tools.evaluateAll((found) => found.map((tool) => Math.min(tool.offsetWidth, tool.offsetHeight)));
    assert.ok(Math.min(...sizes) >= 24, String(sizes));
    await close();
  });

  it("can be printed: the page alone, in dark letters", async () => {
    const { page, close } = await open("/calls", { scheme: "dark" });
    await settled(page);
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    const shown = async (name) => (await page.locator(name).first().boundingBox()) !== null;
    assert.deepEqual([await shown("header"), await shown("nav"), await shown("main table")], [false, false, true]);
    // The page changes its scheme a moment after the browser does.
    const ink = (darker) => page.waitForFunction((wanted) => Math.max(...getComputedStyle(document.querySelector("main td")).color.match(/\d+/g).slice(0, 3).map(Number)) < 120 === wanted, darker);
    await ink(false);
    await page.evaluate(() => globalThis.dispatchEvent(new Event("beforeprint")));
    await ink(true);
    await page.evaluate(() => globalThis.dispatchEvent(new Event("afterprint")));
    await ink(false);
    await close();
  });

  const Paper = 718; // px, the width of a portrait A4 page without its margins

  it("and printed whole: no row, turn or column is left on the screen, nor any ink of the dark scheme", async () => {
    const paper = async (path, find, prepare) => {
      const { page, close } = await open(path, { scheme: "dark", prepare });
      await page.locator(find).first().waitFor();
      await settled(page);
      await page.evaluate(() => globalThis.dispatchEvent(new Event("beforeprint")));
      await page.emulateMedia({ media: "print", colorScheme: "dark" });
      await page.setViewportSize({ width: Paper, height: 1100 });
      const found = await page.evaluate((rows) => {
        const ink = (canvas) => {
          const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
          let dark = 0;
          for (let i = 0; i < data.length; i += 4) dark += data[i + 3] > 128 && Math.max(data[i], data[i + 1], data[i + 2]) < 60 ? 1 : 0;
          return (4 * dark) / data.length;
        };
        return {
          rows: document.querySelectorAll(rows).length,
          hidden: [...document.querySelectorAll("main [role=region]")].filter((el) => getComputedStyle(el).overflowX !== "visible").map((el) => el.getAttribute("aria-label")),
          signs: [...document.querySelectorAll("main [class*=swatch]")].map((sign) => getComputedStyle(sign).printColorAdjust),
          wide: Math.max(0, ...[...document.querySelectorAll("main table")].map((table) => table.getBoundingClientRect().right)),
          ink: Math.max(0, ...[...document.querySelectorAll("main canvas")].map(ink)),
        };
      }, find);
      await close();
      return found;
    };
    const rows = (await paper("/calls", "main tbody tr[data-index]")).rows;
    assert.ok(rows >= 100, `${rows} calls of the first hundred are on paper`);
    const call = all.find(({ path }) => path.startsWith("/calls/call_")).path;
    const printed = await paper(call, "[role=region][aria-label=Words] [data-index]");
    assert.deepEqual([printed.hidden, printed.ink < 0.02], [[], true], `${printed.ink} of the wave is dark`);
    assert.deepEqual([...new Set(printed.signs)], ["exact"]);
    const run = all.find(({ path, of }) => of === "run" && /^\/experiments\/ve_\w+$/.test(path)).path;
    const matrix = await paper(run, "main tbody tr");
    assert.deepEqual([matrix.hidden, matrix.wide < 2 * Paper], [[], true], `the matrix is ${matrix.wide} wide`); // browsers shrink a page to half its size at most
    const { wide } = await paper(`/experiments/compare?base=${run.split("/").at(-1)}&with=${run.split("/").at(-1)}&metrics=all`, "table[aria-label=Metrics] tbody tr", finely);
    assert.ok(wide < 2 * Paper, `the comparison is ${wide} wide`);
  });

  it("and an address that nothing is at says so", async () => {
    const { page, close } = await open("/nothing/is/here");
    await page.getByRole("heading", { level: 1, name: "There is nothing at this address" }).waitFor();
    await looks(page);
    await page.getByRole("link", { name: "Go to the overview" }).click();
    await page.waitForURL(`${url()}/`);
    await settled(page);
    await close();
  });
});

/** finely lets the metrics of a comparison differ by very little, which takes the most letters to write. */
function finely(page) {
  const little = { value: -0.00335, low: -0.0167, high: -0.0112 };
  return page.route((address) => address.pathname.endsWith("/voice-experiments/compare"), async (route) => {
    const compared = await (await route.fetch()).json();
    const metrics = compared.metrics.map((metric) => ({ ...metric, p50: { ...metric.p50, ...little }, p95: { ...metric.p95, ...little }, by_scenario: { ...metric.by_scenario, ...little } }));
    await route.fulfill({ json: { ...compared, metrics } });
  });
}

/** pale runs in the page: it lists fields and boxes whose edge has a contrast of less than 3:1. */
function pale() {
  const light = (colour) => {
    const [r, g, b] = colour.match(/[\d.]+/g).map((part) => (part / 255 <= 0.03928 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  const ground = (el) => {
    const { backgroundColor } = getComputedStyle(el);
    return backgroundColor === "rgba(0, 0, 0, 0)" && el.parentElement ? ground(el.parentElement) : backgroundColor;
  };
  const fields = [...document.querySelectorAll("input:not([type=radio], [type=file], [type=hidden]), select, textarea")].filter((el) => el.offsetParent && !el.disabled && !el.checked);
  const drawn = (el) => el.type !== "checkbox" || getComputedStyle(el).appearance === "none"; // native checkboxes are drawn by the browser
  return fields.filter(drawn).flatMap((el) => {
    let edged = el;
    while (getComputedStyle(edged).borderTopWidth === "0px") edged = edged.parentElement;
    const [edge, around] = [light(getComputedStyle(edged).borderTopColor), light(ground(edged.parentElement))];
    return Math.max(edge, around) / Math.min(edge, around) >= 3 ? [] : [el.getAttribute("aria-label") ?? el.labels?.[0]?.textContent ?? el.outerHTML];
  });
}
