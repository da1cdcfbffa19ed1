import { queryClient } from "../../api/client";

const Key = ["calls", "trail"];

/** leaveTrail remembers the calls of a list in their order, so that the page of a call leads to its neighbours. */
export function leaveTrail(ids: string[]): void {
  queryClient.setQueryDefaults(Key, { gcTime: Number.POSITIVE_INFINITY, structuralSharing: false });
  queryClient.setQueryData(Key, ids);
}

/** trailOf are the calls before and after this one in the list that somebody came from; null where they came from elsewhere. */
export function trailOf(id: string): { before?: string; after?: string; place: number; of: number } | null {
  const ids = queryClient.getQueryData<string[]>(Key);
  const place = ids?.indexOf(id) ?? -1;
  if (!ids || place < 0) return null;
  return { before: ids[place - 1], after: ids[place + 1], place: place + 1, of: ids.length };
}
