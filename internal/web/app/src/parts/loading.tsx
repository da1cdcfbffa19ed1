import { type ComponentPropsWithRef, type FocusEvent, type MouseEvent, useState } from "react";

/** Root are the props that Mantine passes to the root element of a button. */
type Root = ComponentPropsWithRef<"button"> & { href?: string; "data-loading"?: unknown; "data-disabled"?: unknown };

/** keptInFocus renders the root element of a button: a link when it has an address. */
export function keptInFocus(root: Root) {
  if (root.href !== undefined) return <a {...(root as ComponentPropsWithRef<"a">)} />;
  return <Kept {...root} />;
}

/**
 * Kept is a button that keeps the focus. A disabled button loses it, and a keyboard user would be back at the top of the page. So a button that is loading, or that
 * becomes disabled while it has the focus, as Save does once all is saved, is marked with aria-disabled instead and ignores clicks.
 */
function Kept(root: Root) {
  const [focused, setFocused] = useState(false);
  const { disabled, onFocus, onBlur } = root;
  const kept = {
    ...root,
    onFocus: (event: FocusEvent<HTMLButtonElement>) => {
      setFocused(true);
      onFocus?.(event);
    },
    onBlur: (event: FocusEvent<HTMLButtonElement>) => {
      setFocused(false);
      onBlur?.(event);
    },
  };
  const loading = Boolean(root["data-loading"]) && !root["data-disabled"];
  if (!loading && !(disabled && focused)) return <button {...kept} />;
  return <button {...kept} disabled={false} aria-disabled {...(loading && { "aria-busy": true })} onClick={refuse} />;
}

function refuse(event: MouseEvent) {
  event.preventDefault();
  event.stopPropagation();
}
