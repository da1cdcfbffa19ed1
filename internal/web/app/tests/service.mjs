// What the browser tests have in common: a browser, pages of somebody who has signed in, and the service behind them.
import { chromium } from "playwright-core";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

export const url = () => process.env.RINGTRUE_URL;

/** request asks the service for something with its key. */
export async function request(method, path, body) {
  const init = { method, headers: { authorization: `Bearer ${process.env.RINGTRUE_KEY}` } };
  if (body !== undefined) Object.assign(init, { headers: { ...init.headers, "content-type": "application/json" }, body: JSON.stringify(body) });
  const answer = await fetch(`${process.env.RINGTRUE_URL}/api/rest${path}`, init);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text ? JSON.parse(text) : undefined;
}

let browser;
let owner; // the owner's cookies

/** open opens a page of the app as the owner. It fails the test later, through close, when the page has logged an error. */
export async function open(path, { width = 1280, height = 800, scheme = "light", cookies, base = url(), prepare } = {}) {
  browser ??= await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme, reducedMotion: "reduce", permissions: ["clipboard-read", "clipboard-write"] });
  if (cookies === undefined && base === url()) await context.addCookies(await ownersCookies());
  if (cookies) await context.addCookies(cookies);
  const page = await context.newPage();
  const errors = [];
  page.on("console", (message) => message.type() === "error" && !/Failed to load resource/.test(message.text()) && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(String(error)));
  await prepare?.(page);
  await page.goto(base + path);
  return { page, context, errors, close: () => context.close() };
}

/** ownersCookies signs in with the link that works once, when it is asked first; the cookies are kept for the files that follow. */
export async function ownersCookies() {
  if (owner) return owner;
  const kept = `${process.env.RINGTRUE_FOLDER}/cookies.json`;
  const text = await readFile(kept, "utf8").catch(() => undefined);
  if (text) return (owner = JSON.parse(text));
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(process.env.RINGTRUE_LINK);
  await page.waitForURL((address) => !address.pathname.startsWith("/sign-in"));
  owner = await context.cookies();
  await context.close();
  const { writeFile } = await import("node:fs/promises");
  await writeFile(kept, JSON.stringify(owner));
  return owner;
}

/** quit ends the browser; every file calls it in after(). */
export async function quit() {
  await browser?.close();
  browser = undefined;
}

const axePath = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** violations are what axe finds wrong with a page, in a few words each. */
export async function violations(page) {
  const source = await readFile(axePath, "utf8");
  await page.evaluate(source); // not a script element: the page's policy refuses those
  const { violations: found } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  return found.map((v) => `${v.id}: ${v.help} (${v.nodes.slice(0, 3).map((node) => node.target.join(" ")).join("; ")})`);
}

/** overflows tells by how many pixels the page is wider than the screen. */
export async function overflows(page) {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}
