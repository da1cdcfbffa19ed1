import { PasswordInput, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { request } from "../../api/client";
import { useMutation } from "../../api/mutation";
import { fieldsOf } from "../../api/problem";
import { useUnsaved } from "../../parts/unsaved";
import { enter, useSession } from "../../shell/session";
import { Form, Section, useRenaming } from "./form";

/** Page changes one's own name and password. */
export function Page() {
  const person = useSession()?.person;
  if (!person) return null;
  return (
    <Stack>
      <Name now={person.name} email={person.email} />
      <Password has={person.has_password} />
    </Stack>
  );
}

function Name({ now, email }: { now: string; email: string }) {
  const { name, write, doing } = useRenaming(now, "/session/person");
  const wrong = fieldsOf(doing.error);
  useUnsaved(name !== now, "your name");
  return (
    <Section title="You">
      <Form doing={doing} verb="Save" done="Saved." disabled={name === now}>
        <TextInput label="Name" value={name} onChange={(event) => write(event.currentTarget.value)} required maxLength={100} error={wrong["name"]} />
        <TextInput label="E-mail" value={email} readOnly />
      </Form>
    </Section>
  );
}

function Password({ has }: { has: boolean }) {
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const doing = useMutation({
    mutationFn: () => request("POST", "/session/password", { current: has ? current : undefined, new: next }),
    onSuccess: async () => {
      setCurrent("");
      setNext("");
      await enter();
    },
  });
  const wrong = fieldsOf(doing.error);
  useUnsaved(next !== "", "the password"); // the browser may fill in the current one by itself
  return (
    <Section title="Password" about="Changing it signs you out everywhere else.">
      <Form doing={doing} verb={has ? "Change password" : "Set password"} done="Password saved. Your other devices have been signed out.">
        {has && <PasswordInput label="Current password" w={240} autoComplete="current-password" required value={current} error={wrong["current"]} onChange={(event) => setCurrent(event.currentTarget.value)} />}
        <PasswordInput label="New password" w={240} autoComplete="new-password" required minLength={10} placeholder="10 characters or more" value={next} error={wrong["new"]} onChange={(event) => setNext(event.currentTarget.value)} />
      </Form>
    </Section>
  );
}
