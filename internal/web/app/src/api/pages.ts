interface Cursored {
  next_cursor: string | null;
}

/** byCursor are the options of useInfiniteQuery for a list that is read page by page; its parameter is "cursor". */
export const byCursor = { initialPageParam: "", getNextPageParam: (last: Cursored) => last.next_cursor ?? undefined };

interface Growing {
  fetchNextPage: () => unknown;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
}

/** moreOf is what DataTable needs to load the further pages of a list. */
export function moreOf(list: Growing): { load: () => void; has: boolean; loading: boolean } {
  return { load: () => void list.fetchNextPage(), has: list.hasNextPage, loading: list.isFetchingNextPage };
}

/** rowsOf are the elements of all pages that were read; undefined before the first. */
export function rowsOf<Row>(data: { pages: { data: Row[] | null }[] } | undefined): Row[] | undefined {
  return data?.pages.flatMap((page) => page.data ?? []);
}
