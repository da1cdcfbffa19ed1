// Starts the real binary with a demo run and some thousand imported calls, and runs every *.test.mjs in this folder against it, four files
// at a time, those that need neither while both are made. RINGTRUE_BINARY says which binary (default bin/ringtrue); further arguments choose files: node tests/run.mjs calls
// node tests/run.mjs pictures.mjs takes the pictures of docs/images anew.
import { spawn } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { setPriority, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { finished } from "node:stream/promises";
import { run as runTests } from "node:test";
import { spec } from "node:test/reporters";
import { fileURLToPath } from "node:url";
import { productionCalls } from "./production.mjs";
import { people } from "./people.mjs";
import { request, start as startBrowser } from "./service.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const binary = resolve(process.env.RINGTRUE_BINARY ?? join(here, "../../../../bin/ringtrue"));
const folder = await mkdtemp(join(tmpdir(), "ringtrue-browser-"));
const started = [];

/** run ends with the program's output; a program that fails ends everything. */
async function run(command, args) {
  const child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"] });
  const code = await new Promise((done) => child.on("close", done));
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}`);
}

/** start runs a program until the tests are over. The function that it returns waits for words on its output, and answers with what each holds. */
function start(name, args) {
  const child = spawn(binary, args, { stdio: ["ignore", "pipe", "pipe"] });
  started.push(child);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += chunk));
  return async (words, patience) => {
    for (const until = Date.now() + patience; ; await new Promise((passed) => setTimeout(passed, 50))) {
      const found = words.map((word) => said.match(word));
      if (found.every(Boolean)) return found.map((match) => match[1]);
      if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}:\n${said}`);
      if (Date.now() > until) throw new Error(`${name} did not say ${words} in time:\n${said}`);
    }
  };
}

async function stop(child) {
  if (child.exitCode !== null) return;
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), 15_000);
  await new Promise((done) => child.on("close", done));
  clearTimeout(timer);
}

/** early are the tests that need nothing but a service. */
const early = ["entrance.test.mjs", "empty.test.mjs"];

/** long are the files that take longest, most of them because they walk over every page: they begin first, so that none goes on alone when all others are done. */
const long = ["looks", "viewer", "failing", "keyboard", "hostile", "datasets"].map((name) => `${name}.test.mjs`);

/** test runs test files, four at a time, in their order but for the long ones. */
async function test(files) {
  const rank = (name) => (long.includes(name) ? long.indexOf(name) : long.length);
  const ordered = files.toSorted((a, b) => rank(a) - rank(b)).map((name) => join(here, name));
  if (ordered.length === 0) return;
  let failures = 0;
  const events = runTests({ files: ordered, concurrency: 4, timeout: 900_000 }).on("test:fail", () => failures++);
  const report = events.compose(new spec());
  report.pipe(process.stdout, { end: false });
  await finished(report, { writable: false });
  if (failures > 0) throw new Error(`${failures} browser tests or groups of them failed`);
}

let browser;
let failed = true;
try {
  // The service with a whole experiment in it, and one that has nothing yet. What follows gives way to both: the calls of the experiment keep real time.
  const demo = start("demo", ["demo", "--data", join(folder, "demo")]);
  const serve = start("serve", ["serve", "--data", join(folder, "empty"), "--listen", "127.0.0.1:0", "--no-media"]);
  setPriority(10);
  browser = await startBrowser();
  const [[emptyURL, token], [link]] = await Promise.all([serve([/(http:\/\/127\.0\.0\.1:\d+)/, /[?&]token=([\w-]+)/], 60_000), demo([/(http:\S+sign-in\?link=\S+)/], 60_000)]);
  const { origin: url } = new URL(link);
  const { key, ...cookies } = await people(url, link);
  Object.assign(process.env, {
    RINGTRUE_URL: url, RINGTRUE_KEY: key, RINGTRUE_EMPTY_URL: emptyURL, RINGTRUE_SETUP_TOKEN: token, RINGTRUE_BROWSER: browser.wsEndpoint(), RINGTRUE_BINARY: binary,
    RINGTRUE_PEOPLE: JSON.stringify(cookies),
  });
  const wanted = process.argv.slice(2);
  const all = (await readdir(here)).filter((name) => (name.endsWith(".test.mjs") && (wanted.length === 0 || wanted.some((word) => name.startsWith(word)))) || wanted.includes(name)).sort();
  // While the experiment is phoning there is time for what it does not take.
  const phoned = demo([/(The service runs until)/], 240_000).then(soundRun);
  const [sound] = await Promise.all([phoned, imported(), test(all.filter((name) => early.includes(name)))]);
  process.env.RINGTRUE_RUN = sound;
  await test(all.filter((name) => !early.includes(name)));
  failed = false;
} catch (error) {
  console.error(error.message);
} finally {
  await browser?.close();
  await Promise.all(started.map(stop));
  await rm(folder, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);

/**
 * soundRun is the experiment whose calls can be told from each other. On a machine that stood still meanwhile its calls are void, as they should be: then it is
 * run again, a few times at most.
 */
async function soundRun() {
  for (let tries = 1; ; tries++) {
    const { data } = await request("GET", "/voice-experiments?limit=100");
    const found = data.find(({ status, counts }) => status === "FINISHED" && counts.passed > 0 && counts.failed > 0);
    if (found) return found.id;
    const [newest] = data;
    if (tries > 3) throw new Error(`no run of the demo has calls that passed and calls that failed; the last one ended with ${JSON.stringify(newest.counts)}`);
    const { id } = await request("POST", `/voice-experiments/${newest.id}/rerun`, { only: "all" });
    for (const until = Date.now() + 240_000; (await request("GET", `/voice-experiments/${id}`)).status !== "FINISHED"; await new Promise((passed) => setTimeout(passed, 500))) {
      if (Date.now() > until) throw new Error("the demo's experiment did not end in time when it was run again");
    }
  }
}

/** imported brings in the production calls, and waits until each of them has been reviewed and counted, and the service has seen that the last day was a bad one. */
async function imported() {
  const calls = join(folder, "calls.jsonl");
  await writeFile(calls, productionCalls(2500).map((call) => JSON.stringify(call)).join("\n"));
  for (const name of ["support", "sales"]) await request("POST", "/agents", { name, sourceId: name });
  await run(binary, ["import", calls, "--url", process.env.RINGTRUE_URL]);
  for (const until = Date.now() + 240_000; ; await new Promise((passed) => setTimeout(passed, 500))) {
    const overview = await request("GET", "/monitoring/overview");
    if (overview.pending === 0 && overview.now.calls + overview.before.calls >= 2400 && overview.verdict === "bad") return;
    if (Date.now() > until) throw new Error(`calls are not reviewed in time: ${overview.pending} hours pending, ${overview.before.calls} calls, ${overview.verdict}`);
  }
}
