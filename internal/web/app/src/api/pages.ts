/** Cursored is one page of a list. */
interface Cursored {
  next_cursor: string | null;
}

/** byCursor are the options of useInfiniteQuery for a list that is read page by page; its parameter is "cursor". */
export const byCursor = { initialPageParam: "", getNextPageParam: (last: Cursored) => last.next_cursor ?? undefined };

interface Growing {
  fetchNextPage: () => unknown;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
}

/** More is how the further pages of a list are loaded. After one that failed, the next is loaded only when somebody asks for it or the whole list is read again. */
export interface More {
  load: () => void;
  has: boolean;
  loading: boolean;
  failed: boolean;
}

/** moreOf is what DataTable needs to load the further pages of a list. */
export function moreOf(list: Growing): More {
  return { load: () => void list.fetchNextPage(), has: list.hasNextPage, loading: list.isFetchingNextPage, failed: list.isFetchNextPageError };
}

/** rowsOf are the elements of all pages that were read; undefined before the first. */
export function rowsOf<Row>(data: { pages: { data: Row[] }[] } | undefined): Row[] | undefined {
  return data?.pages.flatMap((page) => page.data);
}
