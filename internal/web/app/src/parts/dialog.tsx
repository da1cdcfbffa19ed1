import { Modal, type ModalProps } from "@mantine/core";
import { useEffect, useState } from "react";

/**
 * Dialog is a modal that is mounted only while it is open. Afterwards the focus returns to what opened it. Where that is gone, as with the row whose deletion was
 * confirmed, the nearest focusable element around it gets the focus, so that keyboard users do not start at the top of the page again.
 */
export function Dialog(props: Omit<ModalProps, "opened">) {
  const [wayBack] = useState(() => wayBackOf(openerOf(document.activeElement)));
  useEffect(
    () => () => {
      setTimeout(() => {
        if (document.querySelector("[role=dialog]")) return;
        const [opener] = wayBack;
        const left = wayBack.find((place) => place.isConnected);
        if (left === opener) opener?.focus();
        else if (document.activeElement === document.body) left?.focus({ preventScroll: true });
      }, 0);
    },
    [wayBack],
  );
  return <Modal opened {...props} />;
}

/** openerOf is what the focus returns to: for an entry of a menu, which is gone by then, the button of the menu. */
function openerOf(focused: Element | null): HTMLElement | null {
  const menu = focused?.closest("[role=menu]");
  const target = menu ? document.getElementById(menu.getAttribute("aria-labelledby") ?? "") : focused;
  return target instanceof HTMLElement && target !== document.body ? target : null;
}

/** wayBackOf are an element and its focusable ancestors, from the inside out. */
function wayBackOf(opener: HTMLElement | null): HTMLElement[] {
  const places: HTMLElement[] = [];
  for (let place = opener; place; place = place.parentElement?.closest<HTMLElement>("[tabindex]") ?? null) places.push(place);
  return places;
}
