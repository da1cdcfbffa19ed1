// The first page is small, before and after signing in: the scripts that it needs to be usable, compressed as the service sends them, stay below a bound.
import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { open, quit, settled } from "./service.mjs";

after(quit);

const Most = 200_000; // bytes

describe("the scripts of a first page", () => {
  for (const [path, as] of [["/sign-in", "nobody"], ["/", "owner"]]) {
    it(`are few on ${path}`, async () => {
      const scripts = [];
      const weigh = (page) => page.on("response", (answer) => new URL(answer.url()).pathname.endsWith(".js") && scripts.push(answer));
      const { page, close } = await open(path, { as, prepare: weigh });
      await settled(page);
      const sizes = new Map(await Promise.all(scripts.map(async (answer) => [new URL(answer.url()).pathname, Number((await answer.allHeaders())["content-length"])])));
      const bytes = [...sizes.values()].reduce((sum, each) => sum + each, 0);
      assert.ok(bytes > 100_000, `${bytes} bytes in ${sizes.size} scripts: they are not weighed`);
      assert.ok(bytes < Most, `${bytes} bytes of ${[...sizes].map(([name, each]) => `${name} ${each}`).join(", ")}`);
      await close();
    });
  }
});
