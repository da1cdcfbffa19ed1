import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { queryClient, request, type Schemas } from "../api/client";
import { problemOf } from "../api/problem";

/** Role is what a person may do in a workspace. Each role may do what those before it may. */
export type Role = Schemas["Member"]["role"];

const Roles: Role[] = ["viewer", "member", "admin", "owner"];

const SignInPace = 10_000; // ms between checks whether somebody has signed in again

/** Session says who is signed in, and how one can sign in. */
type Session = Schemas["Session"];

export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: () => request<Session>("GET", "/session"),
  staleTime: 60_000,
  refetchOnWindowFocus: "always", // somebody may have signed in or out in another tab
  // A request that was already running when somebody came back from the sign-in has the old answer, and no other would follow by itself.
  refetchInterval: ({ state }) => state.data?.signed_in === false && SignInPace,
  structuralSharing: (before, now) => keepWhose(before as Session | undefined, now as Session),
});

/** keepWhose keeps the person, role and workspace of a session that has ended: the form somebody was writing must stay usable until they have signed in again and can save it. */
function keepWhose(before: Session | undefined, now: Session): Session {
  return now.signed_in || !before?.role ? now : { ...now, person: before.person, role: before.role, workspace: before.workspace };
}

/** useSession is the session that the shell has loaded. */
export function useSession(): Session | undefined {
  return useQuery(sessionQuery).data;
}

/** useMay tells whether the person has at least the given role. */
export function useMay(least: Role): boolean {
  const role = useSession()?.role;
  return role != null && Roles.indexOf(role) >= Roles.indexOf(least);
}

/** enter loads a session that has just begun or changed, and drops what was cached for the one before. */
export async function enter(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ["session"] });
  forget();
}

/** Public are the keys of queries that do not depend on who is signed in. Asked again, an invitation that was just accepted would be shown as invalid. */
const Public: unknown[] = ["session", "invitation"];

function forget(): void {
  void queryClient.resetQueries({ predicate: (query) => !Public.includes(query.queryKey[0]) });
}

/**
 * useMoved drops the cache when another tab has switched the workspace or signed in somebody else: cached answers would stand below the other name for up to a
 * minute. Where the page that is drawn, at this address, has unsaved changes it keeps everything as it is, and returns true. The address must not be the one that is
 * being gone to: until its page is drawn, the changes that were given up are still there.
 */
export function useMoved(drawn: string): boolean {
  const session = useSession();
  const whose = session?.signed_in ? `${session.person?.id} ${session.workspace?.id}` : undefined;
  const [shown, show] = useState(whose);
  const moved = whose !== undefined && shown !== undefined && whose !== shown;
  const kept = useMemo(() => drawn !== "" && moved && unsaved(), [moved, drawn]); // who leaves the page has saved it, or given it up
  useEffect(() => {
    if (kept || whose === undefined) return;
    if (moved) forget();
    show(whose);
  }, [kept, moved, whose]);
  return kept;
}

/** signInByLink signs in by a link that works once. Opened a second time in the same browser it is refused, but the person is signed in already, and that is enough. */
export async function signInByLink(token: string): Promise<void> {
  try {
    await request("POST", "/session/link", { token });
  } catch (error) {
    if (!isDead(error) || !(await queryClient.fetchQuery(sessionQuery)).signed_in) throw error;
  }
}

/** isDead tells whether a link was refused for good: it was used, is too old, or was not copied completely. */
export function isDead(error: unknown): boolean {
  return problemOf(error).status === 422;
}

/** signOut ends the session, and loads the sign-in anew, so that nothing of what was shown stays in memory. toSignIn leaves the page without a question. */
export async function signOut(toSignIn: () => Promise<void>): Promise<void> {
  await request("DELETE", "/session");
  await toSignIn();
  window.location.reload();
}

/** leave goes to the sign-in, and back here afterwards. It is a full page load, so that nothing of what was shown stays in memory. */
export function leave(): void {
  const { pathname, search } = window.location;
  window.location.assign(`/sign-in?to=${encodeURIComponent(pathname + search)}`);
}

/** unsaved tells whether the page has unsaved changes: their forms cancel this event, as they do when the browser is about to leave. */
export function unsaved(): boolean {
  return !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
}

/** givesUp asks whether what is unsaved on the page may be lost. It is asked before the session or the workspace is left: afterwards it could not be saved any more. */
export function givesUp(leaving: string): boolean {
  return !unsaved() || window.confirm(`${leaving} without saving what you have written?`);
}

export async function switchTo(workspaceID: string): Promise<void> {
  await request("PATCH", "/session", { workspace_id: workspaceID });
  await queryClient.invalidateQueries({ queryKey: ["session"] }); // the rest is forgotten by useMoved
}
