import { type DefaultError, useMutation as useAnyMutation, type UseMutationOptions, type UseMutationResult } from "@tanstack/react-query";
import { useCallback, useRef } from "react";

/**
 * useMutation is the library's, except that it starts nothing while the same is still running: the second click of a double click comes before the button shows
 * that it was pressed, and would create the same thing twice.
 */
export function useMutation<Data, Variables = void>(options: UseMutationOptions<Data, DefaultError, Variables>): Omit<UseMutationResult<Data, DefaultError, Variables>, "mutateAsync"> {
  const busy = useRef(false);
  const { onSettled } = options;
  const doing = useAnyMutation({
    ...options,
    onSettled: (...all) => {
      busy.current = false;
      return onSettled?.(...all);
    },
  });
  const { mutate } = doing;
  const begin = useCallback<typeof mutate>((...asked) => {
    if (busy.current) return;
    busy.current = true;
    mutate(...asked);
  }, [mutate]);
  return { ...doing, mutate: begin } as typeof doing;
}
