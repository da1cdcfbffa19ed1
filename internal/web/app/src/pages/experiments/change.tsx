import { IconArrowDown, IconArrowUp, IconEqual, IconMinus, IconPlus, IconQuestionMark } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Mark } from "../../parts/verdict";

const Changes: Record<string, { tone: string; label: string; icon: ReactNode }> = {
  better: { tone: "passed", label: "better", icon: <IconArrowUp size={14} aria-hidden /> },
  worse: { tone: "failed", label: "worse", icon: <IconArrowDown size={14} aria-hidden /> },
  looks_better: { tone: "passed", label: "looks better", icon: <IconArrowUp size={14} aria-hidden /> },
  looks_worse: { tone: "failed", label: "looks worse", icon: <IconArrowDown size={14} aria-hidden /> },
  changed: { tone: "running", label: "changed", icon: <IconArrowUp size={14} aria-hidden /> },
  other: { tone: "open", label: "other", icon: null },
  same: { tone: "open", label: "same", icon: <IconEqual size={14} aria-hidden /> },
  unclear: { tone: "void", label: "unclear", icon: <IconQuestionMark size={14} aria-hidden /> },
  added: { tone: "running", label: "added", icon: <IconPlus size={14} aria-hidden /> },
  removed: { tone: "open", label: "removed", icon: <IconMinus size={14} aria-hidden /> },
};

/** Change says which way something went, by word, icon and colour. "unclear" means that the difference may be chance. */
export function Change({ change, title }: { change: string; title?: string }) {
  const known = Changes[change] ?? { tone: "open", label: change, icon: null };
  return <Mark {...known} {...(title && { title })} />;
}
