// What the browser tests have in common: a browser, pages of somebody who has signed in, and the service behind them.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

export const url = () => process.env.RINGTRUE_URL;

/** request asks the service for something with its key, or with another one. */
export async function request(method, path, body, key = process.env.RINGTRUE_KEY) {
  const init = { method, headers: { authorization: `Bearer ${key}` } };
  if (body !== undefined) Object.assign(init, { headers: { ...init.headers, "content-type": "application/json" }, body: JSON.stringify(body) });
  const answer = await fetch(`${process.env.RINGTRUE_URL}/api/rest${path}`, init);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text ? JSON.parse(text) : undefined;
}

/** demo is the experiment that the demo has run: some of its calls passed, and some failed. */
export function demo() {
  return request("GET", `/voice-experiments/${process.env.RINGTRUE_RUN}`);
}

/** support is the agent whose production calls were brought in before the tests: none of them adds to these. */
export async function support() {
  return (await request("GET", "/agents?limit=1000")).data.find(({ name }) => name === "support");
}

// The browser's own pages behind its address field, which nobody sees here, would take more of the machine than ours do.
const unseen = "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup,AiModeOmniboxEntryPoint,OmniboxAimPopup,AimServerEligibility";

// Pictures are made without what stands in for a graphics card: that takes a third more of the machine, and nobody looks at most of them.
const plain = ["--disable-gpu", "--disable-gpu-compositing", "--disable-gpu-rasterization"];

// The one without a window takes a quarter less of the machine for the same pages.
const browsers = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium", "/usr/bin/google-chrome"];

/** start launches the browser that all test files share. */
export function start() {
  return chromium.launchServer({ executablePath: process.env.CHROMIUM ?? browsers.find(existsSync), args: ["--no-sandbox", unseen, ...plain] });
}

let browser; // a promise of it
const contexts = new Map(); // promises of them, by who looks
const asked = new WeakMap(); // of a page: the requests that have no answer yet

async function contextOf(as) {
  browser ??= chromium.connect(process.env.RINGTRUE_BROWSER);
  const context = await (await browser).newContext({ reducedMotion: "reduce", permissions: ["clipboard-read", "clipboard-write"] });
  context.setDefaultTimeout(20_000);
  if (as !== "nobody") await context.addCookies(JSON.parse(process.env.RINGTRUE_PEOPLE)[as]);
  return context;
}

/**
 * open opens a page of the app as the owner of the first workspace, or as somebody else: "viewer" looks at the same one, "stranger" owns another one, which is
 * empty; "nobody" has not signed in. What a person has opened shares what a browser keeps, but for nobody, who begins anew each time.
 * close ends it; errors are what the page has logged.
 */
export async function open(path, { width = 1280, height = 800, scheme = "light", as = "owner", base = url(), prepare } = {}) {
  const alone = as === "nobody";
  if (!alone && !contexts.has(as)) contexts.set(as, contextOf(as));
  const context = await (alone ? contextOf(as) : contexts.get(as));
  const page = await context.newPage();
  const errors = listen(page);
  await Promise.all([page.setViewportSize({ width, height }), page.emulateMedia({ colorScheme: scheme }), prepare?.(page)]);
  await page.goto(base + path, { waitUntil: "commit" });
  return { page, errors, close: () => (alone ? context.close() : page.close()) };
}

/**
 * walker gives a function that goes to a page as one does who is in the app already: it is not loaded anew, so that many pages take little time. A page that
 * has logged an error, or is not there yet, is loaded. done fails the test when the page has logged an error since. afresh goes by a page that asks nothing of
 * the service, so that nothing of the page before is taken for what stands on the next one.
 */
export function walker({ as = "owner", prepare, afresh = false } = {}) {
  let walked; // the page that is open
  const load = async (path) => {
    await walked?.close();
    walked = await open(path, { as, prepare });
  };
  return async (path) => {
    if (!walked || walked.errors.length > 0) await load(afresh ? Still : path);
    else {
      if (walked.page.viewportSize().width !== 1280) await Promise.all([walked.page.setViewportSize({ width: 1280, height: 800 }), walked.page.emulateMedia({ colorScheme: "light" })]);
      await walked.page.evaluate(follow, afresh ? Still : path);
    }
    const { page, errors } = walked;
    if (afresh) {
      await page.getByRole("region", { name: "Password" }).waitFor();
      await page.evaluate(follow, path);
    }
    return { page, done: () => assert.deepEqual(errors, [], path) };
  };
}

/** Still is a page that asks the service for nothing but who looks. */
export const Still = "/settings/account";

/** follow runs in the page: it goes where a link would lead. */
function follow(path) {
  globalThis.history.pushState(null, "", path);
  globalThis.dispatchEvent(new PopStateEvent("popstate"));
}

/** awaited tells whether a page is there only with the answer: not for what goes on, nor for the picture of its tab, which the browser fetches for itself. */
function awaited(sent) {
  const kind = sent.resourceType();
  return kind !== "eventsource" && kind !== "media" && !(kind === "other" && sent.url().endsWith(".svg"));
}

/** listen keeps what a page logs as an error, and the requests that are under way. */
function listen(page) {
  const errors = [];
  page.on("console", (message) => message.type() === "error" && !/Failed to load resource/.test(message.text()) && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(String(error)));
  const open = new Set();
  asked.set(page, open);
  page.on("request", (sent) => {
    if (sent.isNavigationRequest()) open.clear(); // the end of what the page before has asked for is not always told
    if (awaited(sent)) open.add(sent);
  });
  for (const end of ["requestfinished", "requestfailed"]) page.on(end, (sent) => open.delete(sent));
  return errors;
}

const Calm = 3; // looks in a row at which nothing is awaited

/** settled waits until the page of the address is there, has had its answers from the service and has drawn them. The stream of events never ends, and is not waited for. */
export async function settled(page) {
  await page.getByRole("heading").first().waitFor();
  await calm(page);
}

/** calm is settled for a page that may have something before it. */
export async function calm(page) {
  const until = Date.now() + 20_000;
  for (let quiet = 0; quiet < Calm; ) {
    const loading = await page.evaluate(drawn);
    quiet = loading === 0 && asked.get(page).size === 0 ? quiet + 1 : 0;
    if (Date.now() > until) throw new Error(`${page.url()} waits for ${loading} parts of it and ${[...asked.get(page)].map((sent) => sent.url())}`);
  }
}

/**
 * drawn runs in the page: after the next picture it counts what still stands for something to come. While the router is on its way the page before is shown, which
 * is calm as well.
 */
function drawn() {
  const count = () => document.querySelectorAll("[aria-label=Loading], .mantine-Skeleton-root").length + Number(globalThis.__TSR_ROUTER__?.state.status === "pending");
  return new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(count()), 15)));
}

/**
 * eventually waits until what is asserted holds, for a page comes piece by piece; in the end it fails as the assertion does. It looks a few times at least: on a
 * slow machine one look may take all the patience.
 */
export async function eventually(asserted, patience = 20_000) {
  const until = Date.now() + patience;
  for (let looks = 1; ; looks++) {
    try {
      return await asserted();
    } catch (error) {
      if (looks >= 5 && Date.now() > until) throw error;
      await new Promise((passed) => setTimeout(passed, 50));
    }
  }
}

/** quit lets go of the browser; every file calls it in after(). */
export async function quit() {
  await (await browser)?.close();
  browser = undefined;
  contexts.clear();
}

/** textOf reads a file that a page has handed to the browser. */
export async function textOf(file) {
  const chunks = [];
  for await (const chunk of await file.createReadStream()) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const axePath = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const axe = readFile(axePath, "utf8");

/** violations are what axe finds wrong with a page, in a few words each. */
export async function violations(page) {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(await axe); // not a script element: the page's policy refuses those
  const { violations: found } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  return found.map((v) => `${v.id}: ${v.help} (${v.nodes.slice(0, 3).map((node) => node.target.join(" ")).join("; ")})`);
}

/** overflows tells by how many pixels the page is wider than the screen. */
export async function overflows(page) {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** looks fails when axe finds something on a page that is open, in either scheme, or when it is wider than a telephone or a wide screen. */
export async function looks(page, what = page.url()) {
  await settled(page);
  for (const [colorScheme, width] of [["light", 1280], ["dark", 360]]) {
    await Promise.all([page.emulateMedia({ colorScheme }), page.setViewportSize({ width, height: 800 })]);
    await page.waitForFunction((scheme) => document.documentElement.dataset.mantineColorScheme === scheme, colorScheme);
    await fits(page, `${what} at ${width} px`);
    assert.deepEqual(await violations(page), [], `${what}, ${colorScheme} at ${width} px`);
  }
  await page.setViewportSize({ width: 1800, height: 900 });
  await fits(page, `${what} at 1800 px`);
}

/** fits fails when a page is wider than the screen. The frame takes a moment to fold its navigation away. */
export async function fits(page, what) {
  await eventually(async () => assert.equal(await overflows(page), 0, what), 10_000);
}
