import { useRouter } from "@tanstack/react-router";
import type { MouseEvent, ReactNode } from "react";
import type { Target } from "./go";

type RowLinkProps = Target & {
  className?: string;
  children: ReactNode;
  /** label is its name for screen readers, where it shows only a sign. */
  label?: string;
  /** tip is its tooltip, which the Tips around it shows. */
  tip?: string;
};

/**
 * RowLink is a link for what is drawn by the hundred, such as rows of a table. It is a plain anchor that calls the router only when it is followed or pointed at.
 * Go asks the router about each link that it draws, which takes as long as the rest of a row.
 */
export function RowLink({ to, params, search, className, children, label, tip }: RowLinkProps) {
  const router = useRouter();
  const target = { to, params, search };
  const follow = (event: MouseEvent) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void router.navigate(target as never);
  };
  const prepare = () => {
    if (prepared.has(to)) return;
    prepared.add(to);
    router.preloadRoute(target as never).catch(() => prepared.delete(to));
  };
  return (
    <a href={hrefOf(target, router.options.stringifySearch)} className={className} aria-label={label} data-tip={tip} onClick={follow} onPointerEnter={prepare} onFocus={prepare}>
      {children}
    </a>
  );
}

/** prepared are the paths of pages whose code has been preloaded, so that moving over many links does it once. */
const prepared = new Set<string>();

/** hrefOf is the address of a page, as the router would write it. */
function hrefOf({ to, params, search }: { to: string; params?: Record<string, string> | undefined; search?: object | undefined }, written: (search: Record<string, unknown>) => string): string {
  const path = to.replace(/\$(\w+)/g, (_, name: string) => encodeURIComponent(params?.[name] ?? ""));
  return search ? path + written(search as Record<string, unknown>) : path;
}
