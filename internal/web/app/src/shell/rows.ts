/** toFirstRow gives the focus to the first row of the page's first table, so that the keys that move through its rows work from anywhere on the page. It returns false when there is no such row. */
export function toFirstRow(page: ParentNode): boolean {
  const link = page.querySelector<HTMLElement>("main table tbody tr:not([aria-hidden]) :is(a, button)");
  link?.focus();
  return link !== null;
}
