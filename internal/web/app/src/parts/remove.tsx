import { ActionIcon, type ActionIconProps } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import type { MouseEvent } from "react";

/** Entries marks the element around a list whose entries can be removed, and Adding the button below it that adds one. */
export const Entries = { "data-entries": true };
export const Adding = { "data-adding": true };

/**
 * Remove is the small cross of an entry of a list. Another entry takes the place of the removed one, and its cross the focus. After the last entry that is the cross
 * of the one before it, and without any the button that adds one: otherwise a keyboard user would be back at the top of the page.
 */
export function Remove({ label, act, ...look }: { label: string; act: () => void } & Pick<ActionIconProps, "mt" | "size">) {
  const remove = (event: MouseEvent<HTMLElement>) => {
    const list = event.currentTarget.closest("[data-entries]");
    act();
    requestAnimationFrame(() => {
      if (list && document.activeElement === document.body) (own(list, "[data-remove]").at(-1) ?? own(list, "[data-adding]")[0])?.focus();
    });
  };
  return (
    <ActionIcon color="gray" {...look} aria-label={label} onClick={remove} data-remove>
      <IconX size={15} />
    </ActionIcon>
  );
}

/** own are the elements that belong to a list, and not to one within it: steps hold lists of words, and of steps. */
function own(list: Element, selector: string): HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>(selector)].filter((each) => each.closest("[data-entries]") === list);
}
