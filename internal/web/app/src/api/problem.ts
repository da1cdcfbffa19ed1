/** An error answer of the service (application/problem+json), or what stands for one when the service cannot be reached. */
export interface Problem {
  status: number;
  code: string;
  title?: string;
  detail?: string;
  hint?: string;
  request_id?: string;
  errors?: { location?: string; path?: string; message: string }[];
}

/** foreign makes the Problem of an answer that something between the app and the service gave in the service's place. */
export function foreign(): Problem {
  return {
    status: 0,
    code: "unreachable",
    title: "The answer did not come from Ringtrue",
    hint: "A proxy or a network sign-in page may be in the way. Open this page in another tab to see what answers.",
  };
}

/** problemOf makes a Problem of anything that was thrown. */
export function problemOf(error: unknown): Problem {
  if (isProblem(error)) return error;
  if (isMissing(error)) {
    return { status: 0, code: "unreachable", title: "This page could not be loaded", hint: "The service does not answer, or it has been updated. Try again." };
  }
  if (error instanceof TypeError) {
    return { status: 0, code: "unreachable", title: "The service does not answer", hint: "Check that it is running and that you can reach its network." };
  }
  if (error instanceof SyntaxError) {
    return { status: 0, code: "unreachable", title: "The connection broke off in the middle of the answer", hint: "What you did may have taken effect all the same. Check before you do it again." };
  }
  return { status: 0, code: "internal", title: error instanceof Error ? error.message : "Something went wrong" };
}

/** passing tells whether an error may be gone when one asks again. */
export function passing(error: unknown): boolean {
  if (error == null) return false;
  const { status } = problemOf(error);
  return status === 0 || status === 429 || status >= 500;
}

/** isMissing tells whether a part of the app itself did not come: the service does not answer, or is a newer one, whose parts have other names. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && /preload CSS|dynamically imported module|module script failed/i.test(error.message);
}

function isProblem(error: unknown): error is Problem {
  return typeof error === "object" && error !== null && "status" in error && "code" in error;
}

/** textOf is what a person is told. */
export function textOf(problem: Problem): string {
  return capitalized(problem.detail || problem.title || problem.code);
}

/** capitalized begins with a capital what the interface writes as it stands in the middle of a sentence. */
export function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** fieldsOf are the messages per field of a form, by the field's place without "body."; none while nothing was thrown. */
export function fieldsOf(error: unknown): Record<string, string> {
  const messages: Record<string, string> = {};
  for (const { path, location, message } of problemOf(error).errors ?? []) {
    const place = (path ?? location ?? "").replace(/^body\./, "");
    if (place && !(place in messages)) messages[place] = message;
  }
  return messages;
}
