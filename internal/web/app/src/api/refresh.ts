import { queryClient } from "./client";

/** refresh reads anew whatever shows something under the path. */
export async function refresh(path: string): Promise<void> {
  await queryClient.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[1]).startsWith(path) });
}
