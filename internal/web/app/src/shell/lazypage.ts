import { type AsyncRouteComponent, lazyRouteComponent } from "@tanstack/react-router";

type Pages<Name extends string> = Record<Name, () => React.ReactNode>;

/**
 * lazyPage is a page whose code is loaded when it is first opened. When the code does not arrive, RouteProblem says so and reloads the app once the service answers.
 * The router itself would reload at once, and somebody who is offline would be left with the browser's own error page, which leads nowhere. It recognises such
 * errors by their first words, so these are other ones.
 */
export function lazyPage<Name extends string>(load: () => Promise<Pages<Name>>, name: Name): AsyncRouteComponent<unknown> {
  const explained = async () => {
    try {
      return await load();
    } catch (error) {
      throw new Error(`A part of the app did not come: ${error instanceof Error ? error.message : ""}`, { cause: error });
    }
  };
  return lazyRouteComponent(explained, name) as AsyncRouteComponent<unknown>;
}
