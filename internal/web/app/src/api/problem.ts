/** Problem is an error answer of the service (application/problem+json), or what stands for one when the service cannot be reached. Its status is 0 then. */
export interface Problem {
  status: number;
  code: string;
  title?: string;
  detail?: string;
  hint?: string;
  request_id?: string;
  errors?: { location?: string; path?: string; message: string }[];
}

/** foreign is the Problem of an answer that came from something between the app and the service. */
export function foreign(): Problem {
  return {
    status: 0,
    code: "unreachable",
    title: "The answer did not come from Ringtrue",
    hint: "A proxy or a network sign-in page may be in the way. Open this page in another tab to see what answers.",
  };
}

/** problemOf turns anything that was thrown into a Problem. fetch throws a TypeError when it reaches nobody, and JSON.parse a SyntaxError for half an answer. */
export function problemOf(error: unknown): Problem {
  if (isProblem(error)) return error;
  if (isChunkError(error)) {
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

/** isTransient tells whether a retry may succeed. */
export function isTransient(error: unknown): boolean {
  if (error == null) return false;
  const { status } = problemOf(error);
  return status === 0 || status === 429 || status >= 500;
}

/** isChunkError tells whether a part of the app itself could not be loaded: the service does not answer, or a newer version of it has other file names. */
export function isChunkError(error: unknown): boolean {
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

/** fieldsOf are the messages for the fields of a form, keyed by the field's path without "body."; empty while there is no error. */
export function fieldsOf(error: unknown): Record<string, string> {
  const messages: Record<string, string> = {};
  for (const { path, location, message } of problemOf(error).errors ?? []) {
    const place = (path ?? location ?? "").replace(/^body\./, "");
    if (place && !(place in messages)) messages[place] = message;
  }
  return messages;
}
