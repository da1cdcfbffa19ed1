// What clients send may have any size and script: it stays in its place and can be read.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { eventually, fits, open, quit, request, settled } from "./service.mjs";

after(quit);

const name = `front-desk-${"x".repeat(160)}-${Date.now()}`;
const said = "أريد تغيير موعدي من فضلك.";
const ids = {};

before(async () => {
  const agent = await request("POST", "/agents", { name, sourceId: name });
  const long = await send({ metadata: many(), messages: spoken() });
  const bare = await send({ messages: [] });
  const late = await sendTimed([["agent", 0.5, 1.5, "Hello"], ["user", 3, 5, "Anybody?"], ["agent", 400, 401, "Yes"]]);
  Object.assign(ids, { agent: agent.id, long, bare, late });
  await eventually(async () => {
    for (const id of [long, bare, late]) assert.equal((await request("GET", `/calls/${id}`)).scoring_status, "SCORED");
    assert.ok((await request("GET", `/monitoring/upset?agent_id=${agent.id}`)).data?.length > 0, "nobody is counted as upset");
  }, 120_000);
});

/** many are more keys than anybody reads, some with long unbreakable names and values. */
function many() {
  return Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`key_${n}_${"k".repeat(n % 20 ? 3 : 200)}`, n % 7 ? `value ${n}` : { deep: "v".repeat(300) }]));
}

function spoken() {
  const call = { id: "t1", type: "function", function: { name: `find_${"y".repeat(120)}`, arguments: JSON.stringify({ words: "z".repeat(20_000) }) } };
  return [
    { role: "assistant", start: 500, content: "Hello." }, { role: "user", start: 3000, content: said },
    { role: "assistant", start: 9000, content: "", tool_calls: [call] }, { role: "tool", tool_call_id: "t1", content: "done" },
    { role: "assistant", start: 400_000, content: "One moment." }, { role: "user", start: 402_000, content: "I already told you that twice, this is ridiculous." },
    { role: "assistant", start: 404_000, content: "One moment." }, { role: "user", start: 406_000, content: "You are not listening to me, let me speak to a human." },
    { role: "assistant", start: 408_000, content: "One moment." }, { role: "user", start: 409_000, content: "This is the third time I call, I am really fed up." },
  ];
}

let sent = 0;

async function send({ metadata = {}, messages }) {
  const start = Date.now() - 7_200_000 - 60_000 * sent++;
  const payload = { call_id: `varied-${start}`, recording_url: "http://127.0.0.1:9/none.wav", from_number: "+15550177", to_number: "+15550178", start_timestamp: start, end_timestamp: start + 410_000, status: "ended", transcript: { kind: "chat_completion", messages } };
  return (await request("POST", "/v2/call-logs", { provider: "custom", externalAgentId: name, metadata, payload })).id;
}

/** sendTimed submits a call of platform A with the times of its words: who, start and end in seconds, and the word. */
async function sendTimed(turns) {
  const start = Date.now() - 7_200_000 - 60_000 * sent++;
  const call = {
    call_id: `varied-${start}`, call_type: "phone_call", call_status: "ended", start_timestamp: start, end_timestamp: start + 410_000, disconnection_reason: "user_hangup",
    transcript_object: turns.map(([role, from, to, word]) => ({ role, content: word, words: [{ word, start: from, end: to }] })),
  };
  return (await request("POST", "/v2/call-logs", { provider: "platform_a", externalAgentId: name, payload: { event: "call_ended", call } })).id;
}

describe("a name that cannot be broken", () => {
  it("leaves the fields and tables beside it in their place", async () => {
    for (const [path, table] of [["/", /^Agents/], [`/monitor/upset?agent=${ids.agent}`, "Upset callers"]]) {
      const { page, close } = await open(path, { width: 1440 });
      await settled(page);
      const { width } = await page.getByRole("search", { name: "Filter calls" }).getByLabel("Agent", { exact: true }).boundingBox();
      assert.ok(width <= 230, `the choice of agents is ${width} px wide at ${path}`);
      const hidden = await page.getByRole("region", { name: table }).evaluate((frame) => frame.scrollWidth - frame.clientWidth);
      assert.equal(hidden, 0, `${hidden} px of the table are out of sight at ${path}`);
      await close();
    }
  });

  it("nor does it fill a telephone's screen in each row", async () => {
    const { page, close } = await open(`/monitor/upset?agent=${ids.agent}`, { width: 390 });
    const row = page.getByRole("table", { name: "Upset callers" }).locator("tbody tr[data-index]").first();
    await row.waitFor();
    await settled(page);
    const { height } = await row.boundingBox();
    assert.ok(height < 120, `a row is ${height} px tall`);
    await close();
  });

  it("nor does it widen the page of a call", async () => {
    const { page, close } = await open(`/calls/${ids.long}`, { width: 1024 });
    await settled(page);
    await fits(page, "at 1024");
    await page.setViewportSize({ width: 360, height: 800 });
    await fits(page, "at 360");
    await close();
  });

  it("is all within a dialog's title, with the cross that closes it", async () => {
    const { page, close } = await open(`/agents/${ids.agent}`, { width: 390 });
    await page.getByRole("button", { name: /^Delete/ }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Cancel" }).waitFor();
    assert.equal(await dialog.evaluate((frame) => frame.scrollWidth - frame.clientWidth), 0);
    await close();
  });

  it("leaves a menu on a telephone's screen", async () => {
    const view = await request("POST", "/saved-views", { name: "v".repeat(100), page: "prompts", query: "q=v", shared: true });
    const { page, close } = await open("/calls", { width: 390, prepare: (one) => one.route(/saved-views/, (route) => route.fulfill({ json: { data: [view] } })) });
    await page.getByRole("button", { name: "Saved views" }).click();
    const { x, width } = await page.getByRole("menu").boundingBox();
    assert.ok(x >= 0 && x + width <= 390, `the menu stands from ${x} to ${x + width} px`);
    await fits(page, "with an open menu");
    await request("DELETE", `/saved-views/${view.id}`);
    await close();
  });

  it("does not widen the page of a scorer", async () => {
    const slug = "s".repeat(64);
    await request("POST", "/scorers", { slug, kind: "say", params: { phrase: "appointment" } });
    const { page, close } = await open(`/scorers/${slug}`, { width: 390 });
    await settled(page);
    await fits(page, "at 390");
    await close();
  });
});

describe("a call with very much in it", () => {
  it("shows hundreds of metadata within the page", async () => {
    const { page, close } = await open(`/calls/${ids.long}?tab=details`, { width: 1024 });
    await page.getByText("key_199_kkk", { exact: true }).waitFor();
    await fits(page, "at 1024");
    await close();
  });

  it("breaks the long name of a tool, and reckons no latency where nobody tells when a turn ends", async () => {
    const { page, close } = await open(`/calls/${ids.long}`);
    const words = page.getByRole("region", { name: "Words" });
    await words.getByText(/^find_y/).waitFor();
    assert.equal(await words.evaluate((frame) => frame.scrollWidth - frame.clientWidth), 0);
    await page.getByRole("searchbox", { name: "Search the transcript" }).fill("one moment");
    await words.getByText("One moment.").first().waitFor();
    assert.equal(await words.getByText(/answered after/).count(), 0);
    await close();
  });

  it("keeps when, who and what was said apart where letters are twice as large", async () => {
    const { page, close } = await open(`/calls/${ids.long}`);
    await settled(page);
    const gaps = await page.evaluate(() => {
      document.documentElement.style.fontSize = "200%";
      return [...document.querySelectorAll("[aria-label=Words] [data-index] > div")].flatMap(({ children: [time, who, said] }) => {
        const ends = [time, who].map((part) => {
          const words = document.createRange();
          words.selectNodeContents(part);
          return words.getBoundingClientRect().right;
        });
        return [who.getBoundingClientRect().left - ends[0], said.getBoundingClientRect().left - ends[1]];
      });
    });
    assert.ok(gaps.length > 8 && Math.min(...gaps) > 0, `the parts of a line are ${gaps.map(Math.round)} px apart`);
    await close();
  });

  it("writes minutes as such", async () => {
    const { page, close } = await open(`/calls/${ids.late}`);
    await page.getByRole("region", { name: "Words" }).getByText("answered after 6 min 35 s, late").waitFor();
    await close();
  });
});

describe("the place in a call", () => {
  it("goes to both ends with the keyboard, as every slider does", async () => {
    const { page, close } = await open(`/calls/${ids.long}`);
    const place = page.getByRole("slider", { name: "Position in the call" });
    await place.focus();
    for (const [key, at] of [["End", "410"], ["Home", "0"]]) {
      await page.keyboard.press(key);
      await page.waitForFunction((wanted) => document.querySelector("[role=slider]").getAttribute("aria-valuenow") === wanted, at);
    }
    await close();
  });
});

describe("words from right to left", () => {
  it("begin at the right and end with their full stop at the left", async () => {
    const { page, close } = await open(`/calls/${ids.long}`);
    const line = page.getByRole("region", { name: "Words" }).getByText(said);
    await line.waitFor();
    const [first, last] = await line.evaluate((element) => {
      const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
      return [0, text.data.length - 1].map((at) => {
        const range = document.createRange();
        range.setStart(text, at);
        range.setEnd(text, at + 1);
        return range.getBoundingClientRect().left;
      });
    });
    assert.ok(last < first, `the full stop is at ${last}, the first letter at ${first}`);
    await close();
  });
});

describe("a call without words and sound", () => {
  it("offers nothing to listen to", async () => {
    const { page, close } = await open(`/calls/${ids.bare}`);
    await page.getByRole("heading", { name: "No transcript" }).waitFor();
    await page.getByText("end reason", { exact: true }).waitFor();
    assert.equal(await page.getByRole("button", { name: /listen/ }).count(), 0);
    await close();
  });
});
