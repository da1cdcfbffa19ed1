import type { AnyRouter, ParsedLocation } from "@tanstack/react-router";

/** entryOf names a place in the browser's history: the same address may have several. */
const entryOf = (location: ParsedLocation) => location.state.__TSR_key ?? location.href;

/**
 * returning gives the focus back to the link that was followed from a page, when somebody comes back to it by the browser's history: what had it is drawn anew by
 * then, and who works without a mouse would begin at the top of the page for each row that they look at. A row that is still to come has it once it is there,
 * unless something else has it by then. It ends with the function that it returns.
 */
export function returning(router: AnyRouter): () => void {
  const followed = new Map<string, string>();
  let watch: MutationObserver | undefined;
  const forget = router.subscribe("onBeforeNavigate", ({ fromLocation }) => {
    watch?.disconnect();
    const href = document.activeElement?.closest("main a[href]")?.getAttribute("href");
    if (!fromLocation) return;
    if (href) followed.set(entryOf(fromLocation), href);
    else followed.delete(entryOf(fromLocation));
  });
  const stop = router.subscribe("onRendered", ({ toLocation }) => {
    const href = followed.get(entryOf(toLocation));
    if (href === undefined || lead(href)) return;
    watch = new MutationObserver(() => lead(href) && watch?.disconnect());
    watch.observe(document.body, { childList: true, subtree: true });
  });
  return () => {
    forget();
    stop();
    watch?.disconnect();
  };
}

/** lead gives the focus to the link of the page that leads to an address, and tells whether there is nothing more to do. */
function lead(href: string): boolean {
  if (document.activeElement !== document.body) return true;
  const link = document.querySelector<HTMLElement>(`main a[href="${CSS.escape(href)}"]`);
  link?.focus();
  return link !== null;
}
