import { queryClient } from "../../api/client";

/** Trail is the list that a person came from: its calls in order, and its address. */
interface Trail {
  ids: string[];
  href: string;
}

const Key = ["calls", "trail"];

/** leaveTrail remembers the list, so that the page of a call leads to its neighbours. */
export function leaveTrail(trail: Trail): void {
  queryClient.setQueryDefaults(Key, { gcTime: Number.POSITIVE_INFINITY, structuralSharing: false });
  queryClient.setQueryData(Key, trail);
}

/** trailOf is the way back, and the calls before and after this one; null for who came from elsewhere. */
export function trailOf(id: string): { href: string; before?: string; after?: string; place: number; of: number } | null {
  const trail = queryClient.getQueryData<Trail>(Key);
  const place = trail?.ids.indexOf(id) ?? -1;
  if (!trail || place < 0) return null;
  return { href: trail.href, before: trail.ids[place - 1], after: trail.ids[place + 1], place: place + 1, of: trail.ids.length };
}
