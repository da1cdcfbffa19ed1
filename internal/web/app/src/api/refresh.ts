import { queryClient } from "./client";

/** refresh refetches whatever was read from under a path, and resolves when it is there. */
export async function refresh(path: string): Promise<void> {
  await queryClient.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[1]).startsWith(path) });
}
