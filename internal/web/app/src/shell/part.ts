import { type AsyncRouteComponent, lazyRouteComponent } from "@tanstack/react-router";

type Pages<Name extends string> = Record<Name, () => React.ReactNode>;

/**
 * part is a page that is loaded when it is opened first. When it does not come, RouteProblem says so, and loads the app anew once the service answers. The router
 * by itself would load it anew at once, and who is offline would be left with the browser's own page, which leads nowhere: it knows such an error by its first words.
 */
export function part<Name extends string>(load: () => Promise<Pages<Name>>, name: Name): AsyncRouteComponent<unknown> {
  const told = async () => {
    try {
      return await load();
    } catch (error) {
      throw new Error(`A part of the app did not come: ${error instanceof Error ? error.message : ""}`, { cause: error });
    }
  };
  return lazyRouteComponent(told, name) as AsyncRouteComponent<unknown>;
}
