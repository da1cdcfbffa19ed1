// Every page with hostile names, words and metadata: they are shown as text, in their place, and break nothing.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { pagesOf } from "./pages.mjs";
import { eventually, fits, quit, request, settled, walker } from "./service.mjs";

after(quit);

const tag = '<img src=x onerror="window.hurt=1">';
const link = `javascript:window.hurt=1//${Date.now()}`;
const turned = "\u202egnp.exe"; // an override of the writing direction that is never closed
const long = "w".repeat(10_000);

/** plant stores such things in the workspace and returns their ids. */
async function plant() {
  const agent = await request("POST", "/agents", { name: `${tag} ${turned}`, sourceId: link, defaults: { to_number: "+15550199" } });
  const input = { goal: `${tag} ${turned} ${"w".repeat(3900)}`, persona: { name: `${tag} ${turned}` }, facts: { link, words: tag }, script: ["wait_for_agent", { say: `${tag} ${turned} ${link}` }, "hang_up"] };
  const dataset = await request("POST", "/datasets", { name: `${tag} ${turned}`, description: `${link} ${"w".repeat(1000)}`, items: [{ key: `${tag} ${turned}`, input, output: { say: [tag, link] }, metadata: { link, tag } }] });
  const { data: items } = await request("GET", `/datasets/${dataset.id}/items`);
  await request("POST", "/scorers", { slug: "ill", name: `${tag} ${turned}`, kind: "say", params: { phrase: `${tag} ${"w".repeat(300)}` } });
  await request("POST", "/prompts", { slug: "ill", text: `${tag} ${turned}\n${link}\n${long}` });
  await request("POST", "/api-keys", { name: `${tag} ${turned}` });
  const calls = await Promise.all(Array.from({ length: 12 }, (_, n) => request("POST", "/v2/call-logs", callLog(n))));
  const { voice_experiment_id: run } = await request("POST", `/voice-agent/${agent.id}/run`, { to_number: "+15550199", dataset_id: dataset.id });
  await request("POST", `/voice-experiments/${run}/cancel`);
  await reviewed(calls.map(({ id }) => id));
  return { agent: agent.id, dataset: dataset.id, item: items[0].id, scorer: "ill", prompt: "ill", run, call: calls[0].id, production: calls[1].id };
}

function callLog(n) {
  const start = Date.now() - 3_600_000 - n * 60_000;
  const said = [`${tag} I already told you that twice, this is ridiculous.`, `${turned} ${link}`, long];
  const messages = said.flatMap((content, k) => [
    { role: "assistant", start: 500 + k * 8000, content: `${tag} ${turned} How can I help you?` },
    { role: "user", start: 4000 + k * 8000, content },
  ]);
  return {
    provider: "custom", externalAgentId: link, metadata: { agent_version: `${tag} ${turned}`, "<b>key</b>": tag, link, long: "w".repeat(2000) },
    payload: { call_id: `ill-${n}-${start}`, recording_url: `http://127.0.0.1:9/${encodeURIComponent(tag)}.wav`, from_number: tag.slice(0, 30), to_number: link, start_timestamp: start, end_timestamp: start + 30_000, status: "error", error: tag, transcript: { kind: "chat_completion", messages } },
  };
}

async function reviewed(ids) {
  for (const id of ids) await eventually(async () => assert.equal((await request("GET", `/calls/${id}`)).scoring_status, "SCORED"), 120_000);
}

const walk = walker();

describe("words that mean ill are shown as words", () => {
  let pages;
  before(async () => {
    const ids = await plant();
    const narrowed = ["", "monitor/trends", "monitor/anomalies", "monitor/failures", "monitor/drop-off", "monitor/upset", "monitor/breakdown", "calls", "experiments"].map((path) => ({ path: `/${path}?agent=${ids.agent}` }));
    pages = [...pagesOf(ids), ...narrowed];
  });

  for (let n = 0; n < pagesOf({}).length + 9; n++) {
    it(`page ${n + 1}`, async () => {
      const place = pages[n];
      const { page, done } = await walk(place.path);
      await settled(page);
      assert.deepEqual(await page.evaluate(harm), [], place.path);
      // Chromium takes seconds to repaint a word of ten thousand letters when the page goes from its widest to its narrowest at once; through a width in between it does not.
      for (const width of [1280, 700, 360]) {
        await page.setViewportSize({ width, height: 800 });
        await fits(page, `${place.path} at ${width}`);
      }
      done();
    });
  }
});

/** harm runs in the page: whatever the hostile texts have become other than text. */
function harm() {
  const found = [];
  if (globalThis.hurt) found.push("a script has run");
  if (document.querySelector("img[src=x]")) found.push("a tag became an element");
  for (const each of document.querySelectorAll("[href], [src], [action]")) {
    const to = each.getAttribute("href") ?? each.getAttribute("src") ?? each.getAttribute("action");
    if (/^\s*(javascript|data:text|vbscript)/i.test(to)) found.push(`leads to ${to.slice(0, 40)}`);
  }
  // A direction override must not affect the text after it: there is nothing after it in the same paragraph.
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    if (!text.data.includes("\u202e")) continue;
    let room = text.parentElement;
    while (getComputedStyle(room).display === "inline" && !/isolate|plaintext/.test(getComputedStyle(room).unicodeBidi)) room = room.parentElement;
    const rest = document.createRange();
    rest.setStartAfter(text);
    rest.setEndAfter(room.lastChild);
    const inline = [...rest.cloneContents().childNodes].map((node) => node.textContent).join("").trim();
    const own = /[\u202e\u2068][^\u2069]*$/.test(text.data) ? "" : text.data.split(/\u2069/).at(-1).trim();
    if ((inline || own) && !/isolate|plaintext/.test(getComputedStyle(text.parentElement).unicodeBidi)) found.push(`turned around: ${(inline || own).slice(0, 40)} in ${room.tagName}.${room.className}`);
  }
  return [...new Set(found)].slice(0, 8);
}
