import { type DefaultError, useMutation as useAnyMutation, type UseMutationOptions, type UseMutationResult } from "@tanstack/react-query";
import { useCallback, useRef } from "react";

/**
 * useMutation is that of the library, but that nothing is begun while the same is under way: the second click of a double one comes before the button shows that
 * it has been pressed, and would make the same thing twice.
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
