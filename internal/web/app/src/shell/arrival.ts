/** arrivalOf is where somebody goes who has signed in: a path of ours, nothing else. */
export function arrivalOf(to: string | undefined): string {
  return to?.startsWith("/") && !/^\/[/\\]/.test(to) ? to : "/";
}
