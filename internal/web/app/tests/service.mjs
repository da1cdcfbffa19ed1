// What the browser tests share: the browser, pages of people who have signed in, and requests to the service.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

export const url = () => process.env.RINGTRUE_URL;

/** request sends a request to the API, with the key of the workspace or with another one. */
export async function request(method, path, body, key = process.env.RINGTRUE_KEY) {
  const init = { method, headers: { authorization: `Bearer ${key}` } };
  if (body !== undefined) Object.assign(init, { headers: { ...init.headers, "content-type": "application/json" }, body: JSON.stringify(body) });
  const answer = await fetch(`${process.env.RINGTRUE_URL}/api/rest${path}`, init);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text ? JSON.parse(text) : undefined;
}

/** demo is the experiment of the demo: some of its calls passed, and some failed. */
export function demo() {
  return request("GET", `/voice-experiments/${process.env.RINGTRUE_RUN}`);
}

/** support is the agent whose production calls were imported before the tests; no test adds to them. */
export async function support() {
  return (await request("GET", "/agents?limit=1000")).data.find(({ name }) => name === "support");
}

// Chromium renders its address bar with web pages, which nobody sees here and which would take more CPU than the app.
const unseen = "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup,AiModeOmniboxEntryPoint,OmniboxAimPopup,AimServerEligibility";

// Without an emulated graphics card, which takes a third more CPU for pictures that mostly nobody looks at.
const plain = ["--disable-gpu", "--disable-gpu-compositing", "--disable-gpu-rasterization"];

// The headless shell takes a quarter less CPU for the same pages.
const browsers = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium", "/usr/bin/google-chrome"];

/** start launches the browser that all test files share. */
export function start() {
  return chromium.launchServer({ executablePath: process.env.CHROMIUM ?? browsers.find(existsSync), args: ["--no-sandbox", unseen, ...plain] });
}

let browser; // a promise
const contexts = new Map(); // promises of browser contexts, by person
const asked = new WeakMap(); // the unanswered requests of each page

async function contextOf(as) {
  browser ??= chromium.connect(process.env.RINGTRUE_BROWSER);
  const context = await (await browser).newContext({ reducedMotion: "reduce", permissions: ["clipboard-read", "clipboard-write"] });
  context.setDefaultTimeout(20_000);
  if (as !== "nobody") await context.addCookies(JSON.parse(process.env.RINGTRUE_PEOPLE)[as]);
  return context;
}

/**
 * open opens a page of the app as the owner of the first workspace, or as somebody else: "viewer" is a viewer there, "stranger" owns another, empty one, and
 * "nobody" has not signed in. The pages of a person share one browser context; "nobody" gets a new one each time. close closes it; errors are what the page logged.
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
 * walker gives a function that navigates within the app, without loading it again, so that visiting many pages takes little time. After an error, and at first, it
 * loads the page. done fails the test when the page has logged an error since. afresh goes through a page without requests, so that nothing of the page before is
 * taken for content of the next one.
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

/** Still is a page that requests nothing but the session. */
export const Still = "/settings/account";

/** follow runs in the page: it navigates as a link would. */
function follow(path) {
  globalThis.history.pushState(null, "", path);
  globalThis.dispatchEvent(new PopStateEvent("popstate"));
}

/** awaited tells whether a page is complete only with the answer to a request: not so for event streams and media, nor for the favicon, which the browser fetches by itself. */
function awaited(sent) {
  const kind = sent.resourceType();
  return kind !== "eventsource" && kind !== "media" && !(kind === "other" && sent.url().endsWith(".svg"));
}

/** listen records the errors that a page logs, and its requests under way. */
function listen(page) {
  const errors = [];
  page.on("console", (message) => message.type() === "error" && !/Failed to load resource/.test(message.text()) && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(String(error)));
  const open = new Set();
  asked.set(page, open);
  page.on("request", (sent) => {
    if (sent.isNavigationRequest()) open.clear(); // for requests of the page before there is not always an event at the end
    if (awaited(sent)) open.add(sent);
  });
  for (const end of ["requestfinished", "requestfailed"]) page.on(end, (sent) => open.delete(sent));
  return errors;
}

const Calm = 3; // checks in a row at which nothing is awaited

/** settled waits until the page of the address is there and has drawn the answers of the service. The event stream, which never ends, is not waited for. */
export async function settled(page) {
  await page.getByRole("heading").first().waitFor();
  await calm(page);
}

/** calm is settled for a page that may have a dialog in front of it. */
export async function calm(page) {
  const until = Date.now() + 20_000;
  for (let quiet = 0; quiet < Calm; ) {
    const loading = await page.evaluate(drawn);
    quiet = loading === 0 && asked.get(page).size === 0 ? quiet + 1 : 0;
    if (Date.now() > until) throw new Error(`${page.url()} waits for ${loading} parts of it and ${[...asked.get(page)].map((sent) => sent.url())}`);
  }
}

/**
 * drawn runs in the page: after the next frame it counts the placeholders of what is loading. During a navigation the page before is still shown, which has none
 * either.
 */
function drawn() {
  const count = () => document.querySelectorAll("[aria-label=Loading], .mantine-Skeleton-root").length + Number(globalThis.__TSR_ROUTER__?.state.status === "pending");
  return new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(count()), 15)));
}

/**
 * eventually repeats an assertion until it holds, since a page arrives piece by piece; in the end it fails as the assertion does. It tries a few times at least: on
 * a slow machine one try may take all the time.
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

/** quit disconnects from the browser; every file calls it in after(). */
export async function quit() {
  await (await browser)?.close();
  browser = undefined;
  contexts.clear();
}

/** textOf reads a file that a page has offered as a download. */
export async function textOf(file) {
  const chunks = [];
  for await (const chunk of await file.createReadStream()) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const axePath = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const axe = readFile(axePath, "utf8");

/** violations are the findings of axe on a page, in a few words each. */
export async function violations(page) {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(await axe); // not a script element: the page's policy refuses those
  const { violations: found } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  return found.map((v) => `${v.id}: ${v.help} (${v.nodes.slice(0, 3).map((node) => node.target.join(" ")).join("; ")})`);
}

/** overflows is by how many pixels the page is wider than the screen. */
export async function overflows(page) {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** looks fails when axe finds something on an open page in either scheme, or when the page is wider than a phone or a wide screen. */
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
