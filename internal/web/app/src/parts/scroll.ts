import { observeWindowOffset, type Virtualizer, windowScroll } from "@tanstack/react-virtual";

type OfWindow = Virtualizer<Window, Element>;

/**
 * yieldingScroll is how a virtualizer sees the page scrolled and scrolls it, so that it never takes the page back from who has just moved it. It corrects the place
 * by what it knows of it, and hears of a move with the next picture only: a row that is measured in between, or rows that come, would lead back to where the
 * reader has gone from. What it wants is left out then; it learns the true place a moment later.
 */
export function yieldingScroll() {
  let known: number | undefined;
  return {
    observeElementOffset: (instance: OfWindow, tell: (offset: number, isScrolling: boolean) => void) =>
      observeWindowOffset(instance, (offset, isScrolling) => {
        known = offset;
        tell(offset, isScrolling);
      }),
    scrollToFn: (offset: number, options: { adjustments?: number | undefined; behavior?: ScrollBehavior | undefined }, instance: OfWindow) => {
      const page = instance.scrollElement;
      if (!page || (known !== undefined && Math.abs(page.scrollY - known) > 1)) return;
      windowScroll(offset, options, instance);
      known = page.scrollY;
    },
  };
}
