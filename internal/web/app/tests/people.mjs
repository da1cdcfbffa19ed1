// The people who use the app in the browser tests.

/** people signs in the owner by their link, and makes an API key, a viewer of the same workspace, and a stranger, whose own workspace stays empty. */
export async function people(base, link) {
  const owner = await ask(base, "POST", "/session/link", { token: new URL(link).searchParams.get("link") });
  const { id: home } = (await ask(base, "GET", "/session", undefined, owner.cookie)).answer.workspace;
  const { answer: made } = await ask(base, "POST", "/api-keys", { name: "browser tests" }, owner.cookie);
  const viewer = await invite(base, owner.cookie, "viewer", "Will Watcher");
  const { answer: other } = await ask(base, "POST", "/workspaces", { name: "Elsewhere" }, owner.cookie);
  await ask(base, "PATCH", "/session", { workspace_id: other.id }, owner.cookie);
  const stranger = await invite(base, owner.cookie, "owner", "Sam Stranger");
  await ask(base, "PATCH", "/session", { workspace_id: home }, owner.cookie);
  const cookies = (cookie) => [{ name: cookie.split("=")[0], value: cookie.slice(cookie.indexOf("=") + 1), url: base, sameSite: "Lax", httpOnly: true }];
  return { key: made.secret, owner: cookies(owner.cookie), viewer: cookies(viewer), stranger: cookies(stranger) };
}

/** invite adds somebody to the workspace of the session in cookie, and returns their cookie. */
async function invite(base, cookie, role, name) {
  const { answer } = await ask(base, "POST", "/invitations", { email: `${role}-${Date.now()}@example.com`, role }, cookie);
  const token = new URL(answer.url).searchParams.get("token");
  return (await ask(base, "POST", "/session/join", { token, name, password: "long enough for this" })).cookie;
}

async function ask(base, method, path, body, cookie) {
  const headers = { ...(body && { "content-type": "application/json" }), ...(cookie && { cookie }) };
  const answer = await fetch(`${base}/api/rest${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return { answer: text ? JSON.parse(text) : undefined, cookie: answer.headers.getSetCookie()[0]?.split(";")[0] ?? cookie };
}
