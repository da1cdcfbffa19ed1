// Presses every button of a page, as somebody would who tries out what there is.

/**
 * pressAll presses each button of a page once, and each entry of the menus that open; of buttons that differ by a number alone it presses the first.
 * opened is asked about each dialog or menu that came, with the name of its button, before Escape closes it.
 */
export async function pressAll(page, { leave = /^(Sign out|Play|Pause|Copy|Download|Load more)/, opened } = {}) {
  const address = page.url();
  const done = new Set();
  for (;;) {
    const name = (await page.evaluate(namesOf)).find((each) => !done.has(each) && !leave.test(each));
    if (name === undefined) return [...done];
    done.add(name);
    const came = await page.evaluate(press, name);
    if (came !== "") {
      await opened?.(name, came);
      if (came === "menu" && !opened) await pressEntries(page);
      await page.keyboard.press("Escape");
      await page.waitForFunction(() => document.querySelector("[role=dialog], [role=menu]") === null, null, { timeout: 3000 }).catch(() => undefined);
    }
    if (page.url() !== address) await page.evaluate((path) => { globalThis.history.pushState(null, "", path); globalThis.dispatchEvent(new PopStateEvent("popstate")); }, address).then(() => page.getByRole("heading").first().waitFor());
  }
}

/** pressEntries presses what a menu offers. */
async function pressEntries(page) {
  await page.evaluate(async () => {
    for (const entry of document.querySelectorAll("[role=menu] button[role=menuitem]:not([disabled])")) {
      if (/^(Sign out|Download)/.test(entry.textContent)) continue;
      entry.click();
      await new Promise((passed) => setTimeout(passed, 60));
    }
  });
}

/** namesOf runs in the page: the names of the buttons that can be pressed, with their numbers taken away. */
function namesOf() {
  const frame = document.querySelector("[role=dialog]") ?? document.querySelector("main") ?? document.body;
  const buttons = [...frame.querySelectorAll("button:not([disabled]):not([data-disabled]):not([role=option])")];
  return [...new Set(buttons.filter((button) => button.offsetParent !== null).map((button) => (button.getAttribute("aria-label") ?? button.textContent).replace(/[\d.,:]+|call_\w+/g, "#")))];
}

/** press runs in the page: it presses the first button of that name from the keyboard, and answers with the role of what came of it. */
async function press(name) {
  const frame = document.querySelector("[role=dialog]") ?? document.querySelector("main") ?? document.body;
  const nameOf = (button) => (button.getAttribute("aria-label") ?? button.textContent).replace(/[\d.,:]+|call_\w+/g, "#");
  const button = [...frame.querySelectorAll("button:not([disabled])")].find((each) => each.offsetParent !== null && nameOf(each) === name);
  const before = document.querySelectorAll("[role=dialog], [role=menu]").length;
  if (!button) return "";
  globalThis.pressed = button;
  button.focus();
  button.click();
  for (let n = 0; n < 8; n++) {
    await new Promise((passed) => setTimeout(passed, 20));
    const shown = document.querySelectorAll("[role=dialog], [role=menu]");
    if (shown.length > before) return shown[shown.length - 1].getAttribute("role");
  }
  return "";
}
