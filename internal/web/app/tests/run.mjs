// Starts the real binary with a demo run and some thousand imported calls, and runs every *.test.mjs in this folder against it, four files
// at a time. RINGTRUE_BINARY says which binary (default bin/ringtrue); further arguments choose files: node tests/run.mjs calls
import { spawn } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { productionCalls } from "./production.mjs";
import { people } from "./people.mjs";
import { request, start as startBrowser } from "./service.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const binary = resolve(process.env.RINGTRUE_BINARY ?? join(here, "../../../../bin/ringtrue"));
const folder = await mkdtemp(join(tmpdir(), "ringtrue-browser-"));
const started = [];

/** run ends with the program's output; a program that fails ends everything. */
async function run(command, args, env = {}) {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ["ignore", "inherit", "inherit"] });
  const code = await new Promise((done) => child.on("close", done));
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}`);
}

/** start runs a program until the tests are over, and waits for words on its output. */
function start(name, args, words, patience) {
  const child = spawn(binary, args, { stdio: ["ignore", "pipe", "pipe"] });
  started.push(child);
  return new Promise((done, fail) => {
    let said = "";
    const timer = setTimeout(() => fail(new Error(`${name} did not say ${words} in time:\n${said}`)), patience);
    const hear = (chunk) => {
      said += chunk;
      const found = words.map((word) => said.match(word));
      if (found.every(Boolean)) {
        clearTimeout(timer);
        done(found.map((match) => match[1]));
      }
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.on("close", (code) => fail(new Error(`${name} ended with ${code}:\n${said}`)));
  });
}

async function stop(child) {
  if (child.exitCode !== null) return;
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), 15_000);
  await new Promise((done) => child.on("close", done));
  clearTimeout(timer);
}

let browser;
let failed = true;
try {
  // The service with a whole experiment in it, and one that has nothing yet.
  const [[url, link, key], [emptyURL, token]] = await Promise.all([
    start("demo", ["demo", "--data", join(folder, "demo")], [/(http:\/\/127\.0\.0\.1:\d+)/, /(http:\S+sign-in\?link=\S+)/, /(rt_[0-9a-f]+_[0-9a-f]+)/], 240_000),
    start("serve", ["serve", "--data", join(folder, "empty"), "--listen", "127.0.0.1:0", "--no-media"], [/(http:\/\/127\.0\.0\.1:\d+)/, /[?&]token=([\w-]+)/], 60_000),
  ]);
  browser = await startBrowser();
  const env = {
    RINGTRUE_URL: url, RINGTRUE_KEY: key, RINGTRUE_EMPTY_URL: emptyURL, RINGTRUE_SETUP_TOKEN: token, RINGTRUE_BROWSER: browser.wsEndpoint(), RINGTRUE_BINARY: binary,
    RINGTRUE_PEOPLE: JSON.stringify(await people(url, link)),
  };
  Object.assign(process.env, env);
  const calls = join(folder, "calls.jsonl");
  await writeFile(calls, productionCalls(2500).map((call) => JSON.stringify(call)).join("\n"));
  for (const name of ["support", "sales"]) await request("POST", "/agents", { name, sourceId: name });
  await run(binary, ["import", calls, "--url", url]);
  await settled();
  const wanted = process.argv.slice(2);
  const files = (await readdir(here)).filter((name) => name.endsWith(".test.mjs") && (wanted.length === 0 || wanted.some((word) => name.startsWith(word))));
  await run(process.execPath, ["--test", "--test-concurrency=4", "--test-reporter=spec", "--test-timeout=300000", ...files.sort().map((name) => join(here, name))], env);
  failed = false;
} catch (error) {
  console.error(error.message);
} finally {
  await browser?.close();
  await Promise.all(started.map(stop));
  await rm(folder, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);

/** settled waits until every imported call has been reviewed and counted. */
async function settled() {
  const until = Date.now() + 240_000;
  for (;;) {
    const overview = await request("GET", "/monitoring/overview");
    if (overview.pending === 0 && overview.now.calls + overview.before.calls >= 2400) return;
    if (Date.now() > until) throw new Error(`calls are not reviewed in time: ${overview.pending} hours pending, ${overview.before.calls} calls`);
    await new Promise((done) => setTimeout(done, 500));
  }
}
