// Every page with ids of another workspace in its address: nothing is found, and nothing about them is disclosed.
import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { places } from "./pages.mjs";
import { quit, request, settled, walker } from "./service.mjs";

after(quit);

const all = await places();
const [agents, datasets, people] = await Promise.all(["/agents", "/datasets", "/members"].map((path) => request("GET", path)));
const ours = [...agents.data, ...datasets.data, ...people.data.filter(({ email }) => !email.startsWith("owner-"))].map(({ name }) => name).filter((name) => name.length > 3);
const ids = all.flatMap(({ path }) => path.match(/\b(agt|call|ds|di|ve)_[0-9a-z]+/g) ?? []);
const agent = ids.find((id) => id.startsWith("agt_"));

// Filters by things of another workspace.
const narrowed = ["/", "/monitor/trends", "/monitor/anomalies", "/monitor/failures", "/monitor/drop-off", "/monitor/upset", "/monitor/breakdown", "/experiments"].map((path) => ({ path: `${path}?agent=${agent}` }));

const answers = []; // since the navigation
const listen = (page) => page.on("response", (answer) => answer.url().includes("/api/") && !answer.url().includes("/events") && answers.push(answer));
const walk = walker({ as: "stranger", prepare: listen, afresh: true });

describe("what belongs to another workspace", () => {
  for (const place of [...all.filter(({ path }) => ids.some((id) => path.includes(id)) || path.includes("pages-")), ...narrowed]) {
    it(`stays there: ${place.path}`, async () => {
      answers.length = 0;
      const { page, done } = await walk(place.path);
      await settled(page);
      const words = await page.textContent("body");
      if (place.of) assert.match(await page.getByRole("alert").first().textContent(), /no such|not found|nothing|there is no/i);
      for (const answer of answers) {
        const told = answer.status() === 304 ? "" : await answer.text().catch(() => "");
        for (const name of ours) assert.ok(!told.includes(name), `${answer.url()} tells of ${name}`);
        assert.ok(answer.status() < 500, `${answer.url()}: ${answer.status()}`);
      }
      for (const name of ours) assert.ok(!words.includes(name), `the page tells of ${name}`);
      done();
    });
  }

  it("is named in full on a telephone", async () => {
    const { page, done } = await walk(`/calls/${ids.find((id) => id.startsWith("call_"))}`);
    await page.setViewportSize({ width: 320, height: 640 });
    const cut = await page.getByRole("alert").first().evaluate((notice) => [...notice.querySelectorAll("*")].filter((part) => part.scrollWidth > part.clientWidth).map((part) => part.textContent));
    assert.deepEqual(cut, []);
    done();
  });
});
