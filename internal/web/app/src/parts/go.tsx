import { Link, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";

/**
 * Pages maps the path of every page to its search parameters. Each room adds its own beside its routes. So this file depends on no room, and yet a link to a page
 * that does not exist, or with parameters that it does not take, is a type error.
 */
export interface Pages {}

/** Path is the address of a page, as "/calls/$id". */
export type Path = keyof Pages & string;

/** SearchOf are the search parameters of a page. */
export type SearchOf<To extends Path> = Pages[To];

type Place<To extends Path> = { to: To; search?: SearchOf<To> } & (To extends `${string}$${infer Name}` ? { params: Record<Name, string> } : { params?: undefined });

/** Target is where a link leads: the path of a page, with its parameters. */
export type Target = { [To in Path]: Place<To> }[Path];

const Anywhere = Link as unknown as (props: Record<string, unknown>) => ReactNode;

type GoProps = Target & {
  className?: string;
  children: ReactNode;
  label?: string;
  newTab?: boolean;
  /** inText underlines the link, so that it differs from the words around it by more than its colour. */
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
 * useGo opens another page. done is for leaving a form that was sent, or the page of what was deleted: nobody is asked about unsaved changes, and the browser's Back
 * skips the page.
 */
export function useGo(): (target: Target, done?: boolean) => Promise<void> {
  const navigate = useNavigate();
  return (target, done = false) => navigate({ ...target, ignoreBlocker: done, replace: done } as never);
}

/** useChange changes some search parameters of the current page; undefined removes one. replace keeps it out of the history, for what changes with every key. */
export function useChange<Search extends object>(): (part: Partial<Search>, replace?: boolean) => void {
  const navigate = useNavigate();
  return (part, replace = false) => void navigate({ to: ".", search: (old: object) => ({ ...old, ...part }), replace } as never);
}
