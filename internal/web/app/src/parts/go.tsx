import { Link, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";

/**
 * Pages are the pages that there are, by their path, each with what it can be asked to show. Each room adds its own beside its routes: what is here knows no room,
 * and yet a link to a page that is not there, or that cannot show what it is asked for, is an error of type.
 */
export interface Pages {}

/** Path is the address of a page, as "/calls/$id". */
export type Path = keyof Pages & string;

/** SearchOf is what a page can be asked to show. */
export type SearchOf<To extends Path> = Pages[To];

type Place<To extends Path> = { to: To; search?: SearchOf<To> } & (To extends `${string}$${infer Name}` ? { params: Record<Name, string> } : { params?: undefined });

/** Target is a page of this app: its path, and what it is asked to show. */
export type Target = { [To in Path]: Place<To> }[Path];

const Anywhere = Link as unknown as (props: Record<string, unknown>) => ReactNode;

type GoProps = Target & {
  className?: string;
  children: ReactNode;
  label?: string;
  newTab?: boolean;
  /** inText underlines it, so that it is told from the words around it. */
  inText?: boolean;
};

/** Go is a link to a page, whichever room it is in. */
export function Go({ to, params, search, className, children, label, newTab, inText }: GoProps) {
  const target = { to, params, search };
  return (
    <Anywhere {...target} className={className} aria-label={label} {...(newTab && { target: "_blank" })} {...(inText && { style: { textDecoration: "underline" } })}>
      {children}
    </Anywhere>
  );
}

/** linked makes a button of Mantine a link: <Button renderRoot={linked({to: "/agents"})}>. */
export function linked({ to, params, search }: Target, newTab = false) {
  const target = { to, params, search };
  return (props: { style?: object }) => <Anywhere {...target} {...(newTab && { target: "_blank" })} {...props} style={{ ...props.style, textDecoration: "none" }} />;
}

/**
 * useGo leads to another page. done is for a page whose work is done, as a form that was sent or what was deleted: there is no question about what is not saved, and
 * the browser's Back leads past it, not to the form once more.
 */
export function useGo(): (target: Target, done?: boolean) => Promise<void> {
  const navigate = useNavigate();
  return (target, done = false) => navigate({ ...target, ignoreBlocker: done, replace: done } as never);
}

/** useChange changes some of the search parameters of the page that is shown; undefined takes one away. */
export function useChange<Search extends object>(): (part: Partial<Search>, replace?: boolean) => void {
  const navigate = useNavigate();
  return (part, replace = false) => void navigate({ to: ".", search: (old: object) => ({ ...old, ...part }), replace } as never);
}
