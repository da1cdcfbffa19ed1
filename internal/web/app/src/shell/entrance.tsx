import { Anchor, Button, Center, Divider, Group, PasswordInput, Stack, Text, TextInput, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { Base, request, type Schemas } from "../api/client";
import { useMutation } from "../api/mutation";
import { fieldsOf } from "../api/problem";
import { ProblemBox } from "../parts/problem";
import { arrivalOf } from "./arrival";
import { enter, isDead, sessionQuery, signInByLink } from "./session";

const MinPassword = 10; // characters

/** Refusals say why somebody who came back from the identity provider was not let in. */
const Refusals: Record<string, string> = {
  not_invited: "This address has not been invited. Ask an admin of your workspace for an invitation",
  email_not_verified: "The identity provider has not verified this address",
  account_of_another: "This address already belongs to a different account at the identity provider",
  setup_needed: "The service has no owner yet",
  expired: "That took too long. Please sign in again",
  denied: "The identity provider did not let you in",
  failed: "Signing in with the identity provider failed",
};

/** DeadLink is shown instead of the service's own words, which are for programs. */
const DeadLink = {
  status: 422,
  code: "invalid_fields",
  title: "This link no longer works",
  hint: "A sign-in link works once and only for a short time. Make a new one with ringtrue people link. If a demo printed several links, use the last one.",
};

/** SignIn lets people in by password, by their company's sign-in, or by a link that works once. */
export function SignIn() {
  const { to, link, refused } = getRouteApi("/sign-in").useSearch();
  const { data: session } = useQuery(sessionQuery);
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const arrive = useArrival(to);
  const signing = useMutation({ mutationFn: () => request("POST", "/session", { email, password }), onSuccess: arrive });
  const linking = useMutation({ mutationFn: signInByLink, onSuccess: arrive });
  const { mutate: followLink, isIdle } = linking;
  useEffect(() => {
    if (link && isIdle) followLink(link);
  }, [link, isIdle, followLink]);
  const oidc = session?.sign_in.oidc;
  const failed = signing.error ?? (isDead(linking.error) ? DeadLink : linking.error);
  return (
    <Entrance title="Sign in">
      {refused && <ProblemBox error={{ status: 403, code: "forbidden", title: Refusals[Object.hasOwn(Refusals, refused) ? refused : "failed"] }} />}
      {failed != null && <ProblemBox error={failed} />}
      {linking.isPending && <Text>Signing you in…</Text>}
      {oidc && (
        <>
          <Button component="a" href={`${Base}/oidc/start?to=${encodeURIComponent(to ?? "/")}`} variant="default" fullWidth>
            Sign in with {oidc.name}
          </Button>
          {session.sign_in.password && <Divider label="or" />}
        </>
      )}
      {session?.sign_in.password !== false && (
        <form onSubmit={submit(() => signing.mutate())}>
          <Stack gap="sm">
            <TextInput label="E-mail" type="email" autoComplete="username" required value={email} onChange={(event) => setEmail(event.currentTarget.value)} autoFocus />
            <PasswordInput label="Password" autoComplete="current-password" required value={password} onChange={(event) => setPassword(event.currentTarget.value)} />
            <Button type="submit" loading={signing.isPending}>
              Sign in
            </Button>
          </Stack>
        </form>
      )}
      {session?.setup_needed && <Anchor href="/setup">Nobody has an account yet. Create the owner's account</Anchor>}
    </Entrance>
  );
}

/** Setup makes the owner's account with the token that the service printed on its first start. */
export function Setup() {
  const search = getRouteApi("/setup").useSearch();
  const { data: session } = useQuery(sessionQuery);
  const arrive = useArrival("/");
  const [form, setForm] = useState({ token: search.token ?? "", name: "", email: "", password: "" });
  const making = useMutation({ mutationFn: () => request("POST", "/session/setup", form), onSuccess: arrive });
  const wrong = fieldsOf(making.error);
  const field = fieldsWith(form, setForm, wrong);
  if (session && !session.setup_needed) {
    return (
      <Entrance title="Already set up">
        <Text>This service already has an owner. Ask them for an invitation.</Text>
        <Anchor href="/sign-in">Sign in</Anchor>
      </Entrance>
    );
  }
  return (
    <Entrance title="Welcome to Ringtrue">
      <Text size="sm" c="dimmed">
        Create the owner's account. The set-up token was printed by <span className="rt-mono">ringtrue serve</span> when it started.
      </Text>
      {making.isError && <ProblemBox error={making.error} />}
      <form onSubmit={submit(() => making.mutate())}>
        <Stack gap="sm">
          <TextInput label="Set-up token" autoComplete="off" required classNames={{ input: "rt-mono" }} {...field("token")} autoFocus={!search.token} />
          <TextInput label="Your name" autoComplete="name" required {...field("name")} />
          <TextInput label="E-mail" type="email" autoComplete="username" required {...field("email")} />
          <PasswordInput label="Password" description={`At least ${MinPassword} characters`} autoComplete="new-password" required minLength={MinPassword} {...field("password")} />
          <Button type="submit" loading={making.isPending}>
            Create the account
          </Button>
        </Stack>
      </form>
    </Entrance>
  );
}

/** Join accepts an invitation into a workspace. */
export function Join() {
  const { token } = getRouteApi("/join").useSearch();
  const { data: session } = useQuery(sessionQuery);
  const invitation = useQuery({
    queryKey: ["invitation", token],
    queryFn: () => request<Schemas["Invited"]>("POST", "/session/invitation", { token }),
    enabled: token !== undefined,
    retry: false,
  });
  const invited = invitation.data;
  return (
    <Entrance title={invited ? `Join ${invited.workspace}` : "You are invited"}>
      {!token && <ProblemBox error={{ status: 400, code: "invalid_fields", title: "The invitation link is incomplete", hint: "Copy the whole link and open it again." }} />}
      {invitation.isError && <ProblemBox error={invitation.error} />}
      {invited && token && <JoinForm token={token} invited={invited} here={session?.signed_in === true && session.person?.email === invited.email} />}
    </Entrance>
  );
}

function JoinForm({ token, invited, here }: { token: string; invited: Schemas["Invited"]; here: boolean }) {
  const arrive = useArrival("/");
  const [form, setForm] = useState({ name: "", password: "" });
  const known = invited.known ? { password: form.password } : form;
  const joining = useMutation({ mutationFn: () => request("POST", "/session/join", { token, ...(here ? {} : known) }), onSuccess: arrive });
  const wrong = fieldsOf(joining.error);
  const field = fieldsWith(form, setForm, wrong);
  return (
    <form onSubmit={submit(() => joining.mutate())}>
      <Stack gap="sm">
        <Text size="sm">
          {invited.invited_by} has invited {invited.email} as {invited.role}.
        </Text>
        {joining.isError && <ProblemBox error={joining.error} />}
        {!here && !invited.known && <TextInput label="Your name" autoComplete="name" required {...field("name")} autoFocus />}
        {!here && (
          <PasswordInput
            label={invited.known ? "Your password" : "Choose a password"}
            description={invited.known ? "You already have an account." : `At least ${MinPassword} characters`}
            autoComplete={invited.known ? "current-password" : "new-password"}
            required
            minLength={invited.known ? undefined : MinPassword}
            {...field("password")}
          />
        )}
        <Button type="submit" loading={joining.isPending}>
          Join
        </Button>
      </Stack>
    </form>
  );
}

function Entrance({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Ringtrue`;
  }, [title]);
  return (
    <Center mih="100vh" p="md" component="main" bg="var(--rt-sunken)">
      <Stack w={380} maw="100%" p="lg" className="rt-panel" gap="md">
        <Group gap="xs">
          <img src="/ringtrue.svg" width={26} height={26} alt="" />
          <Title order={1}>{title}</Title>
        </Group>
        {children}
      </Stack>
    </Center>
  );
}

/** useArrival takes somebody who has just signed in to where they wanted to go. */
function useArrival(to: string | undefined) {
  const navigate = useNavigate();
  return async () => {
    await enter();
    await navigate({ href: arrivalOf(to), replace: true });
  };
}

function submit(act: () => void) {
  return (event: FormEvent) => {
    event.preventDefault();
    act();
  };
}

/** fieldsWith gives the props of the fields of a form by their names. */
function fieldsWith<Form extends Record<string, string>>(form: Form, set: (form: Form) => void, wrong: Record<string, string>) {
  return (name: keyof Form & string) => ({
    value: form[name],
    onChange: (event: { currentTarget: { value: string } }) => set({ ...form, [name]: event.currentTarget.value }),
    error: wrong[name],
  });
}
