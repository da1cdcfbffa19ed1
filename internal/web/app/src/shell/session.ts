import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { queryClient, request, type Schemas } from "../api/client";
import { problemOf } from "../api/problem";

/** Role is what a person may do in a workspace: each may do all that those before it may. */
export type Role = "viewer" | "member" | "admin" | "owner";

const Roles: Role[] = ["viewer", "member", "admin", "owner"];

const Signing = 10_000; // milliseconds between looks whether somebody has signed in meanwhile

/** Session tells who is at the screen, and how one can sign in. */
type Session = Schemas["Session"];

export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: () => request<Session>("GET", "/session"),
  staleTime: 60_000,
  refetchOnWindowFocus: "always", // somebody may have signed in or out in another tab
  // A question that is under way when somebody comes back from the sign-in has the old answer, and no other follows by itself.
  refetchInterval: ({ state }) => state.data?.signed_in === false && Signing,
  structuralSharing: (before, now) => stay(before as Session | undefined, now as Session),
});

/** stay keeps the role and the workspace of somebody whose session is over: what they have written stays theirs to write, and to save as soon as they have signed in again. */
function stay(before: Session | undefined, now: Session): Session {
  return now.signed_in || !before?.role ? now : { ...now, role: before.role, workspace: before.workspace };
}

/** useSession is the session that the shell has loaded. */
export function useSession(): Session | undefined {
  return useQuery(sessionQuery).data;
}

/** useMay reports whether the person's role allows what the given role may do. */
export function useMay(least: Role): boolean {
  const role = useSession()?.role;
  return role != null && Roles.indexOf(role as Role) >= Roles.indexOf(least);
}

/** enter takes over a session that an operation has begun or changed, and forgets what was shown to somebody else. */
export async function enter(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ["session"] });
  forget();
}

/** Nobodys are the questions that are answered to everybody alike. An invitation that was just taken up would be told as one that is not valid. */
const Nobodys: unknown[] = ["session", "invitation"];

function forget(): void {
  void queryClient.resetQueries({ predicate: (query) => !Nobodys.includes(query.queryKey[0]) });
}

/**
 * useMoved forgets what was shown as soon as it is another workspace that is looked at, or another person who looks, which another tab may bring about: some of it
 * would stand below the other's name for a minute. It tells of what is unsaved on the page at path, and stays there.
 */
export function useMoved(path: string): boolean {
  const session = useSession();
  const whose = session?.signed_in ? `${session.person?.id} ${session.workspace?.id}` : undefined;
  const [shown, show] = useState(whose);
  const moved = whose !== undefined && shown !== undefined && whose !== shown;
  const kept = useMemo(() => path !== "" && moved && unsaved(), [moved, path]); // who leaves the page has saved it, or given it up
  useEffect(() => {
    if (kept || whose === undefined) return;
    if (moved) forget();
    show(whose);
  }, [kept, moved, whose]);
  return kept;
}

/** follow signs in by a link that works once. Whoever opens it a second time in the same browser is signed in already, and is no further asked. */
export async function follow(token: string): Promise<void> {
  try {
    await request("POST", "/session/link", { token });
  } catch (error) {
    if (!isDead(error) || !(await queryClient.fetchQuery(sessionQuery)).signed_in) throw error;
  }
}

/** isDead tells whether a link was refused for good: it was used, it is too old, or a part of it is missing. */
export function isDead(error: unknown): boolean {
  return problemOf(error).status === 422;
}

export async function signOut(): Promise<void> {
  await request("DELETE", "/session");
  window.location.assign("/sign-in");
}

/** leave goes to the sign-in, and back here afterwards. The page is loaded anew, so that nothing of what was shown stays in its memory. */
export function leave(): void {
  const { pathname, search } = window.location;
  window.location.assign(`/sign-in?to=${encodeURIComponent(pathname + search)}`);
}

/** unsaved tells whether something on the page would be lost with it, by asking what asks the browser to stay. */
export function unsaved(): boolean {
  return !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
}

export async function switchTo(workspaceID: string): Promise<void> {
  await request("PATCH", "/session", { workspace_id: workspaceID });
  await queryClient.invalidateQueries({ queryKey: ["session"] }); // the rest is forgotten by useMoved
}
