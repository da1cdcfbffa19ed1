import { Button, NativeSelect, Stack, TextInput, VisuallyHidden } from "@mantine/core";
import { useState } from "react";
import { queries, queryClient, request, type Schemas } from "../../api/client";
import { useMutation } from "../../api/mutation";
import { byCursor, moreOf, rowsOf } from "../../api/pages";
import { fieldsOf, problemOf, textOf } from "../../api/problem";
import { Confirm } from "../../parts/confirm";
import { Once } from "../../parts/once";
import { ProblemBox } from "../../parts/problem";
import { DataTable } from "../../parts/table";
import { Time } from "../../parts/time";
import { useUnsaved } from "../../parts/unsaved";
import { Mark } from "../../parts/verdict";
import { type Role, sessionQuery, useMay } from "../../shell/session";
import { Form, Section } from "./form";

const Roles: { value: Role; label: string }[] = [
  { value: "viewer", label: "viewer: looks and listens" },
  { value: "member", label: "member: also creates, changes, runs" },
  { value: "admin", label: "admin: also keys, members, credentials" },
  { value: "owner", label: "owner: everything" },
];

const again = () => Promise.all([["get", "/members"], ["get", "/invitations"]].map((queryKey) => queryClient.invalidateQueries({ queryKey })));

/** changed is again after a change of a member. After one's own, the session is read first: the page must not offer what one may not do any more. */
async function changed(member: Schemas["Member"]) {
  if (member.you) await queryClient.invalidateQueries(sessionQuery);
  await again();
}

/** Page lists the members of the workspace and the open invitations, and invites further people. */
export function Page() {
  const admin = useMay("admin");
  const { data, error } = queries.useQuery("get", "/members");
  return (
    <Stack>
      {admin && <Invite />}
      {error != null && <ProblemBox error={error} />}
      <DataTable
        label="Members"
        rows={data?.data}
        failed={error != null}
        rowKey={(member) => member.id}
        columns={[
          { key: "name", header: "Name", cell: (member) => <>{member.name} {member.you && <Mark tone="open" label="you" />}</> },
          { key: "email", header: "E-mail", cell: (member) => member.email },
          { key: "role", header: "Role", cell: (member) => (admin ? <RoleOf member={member} /> : member.role) },
          { key: "since", header: "Since", cell: (member) => <Time at={member.created_at} /> },
          { key: "seen", header: "Last seen", cell: (member) => (member.seen_at == null ? "not recently" : <Time at={member.seen_at} />) },
          { key: "end", header: <VisuallyHidden>Actions</VisuallyHidden>, numeric: true, cell: (member) => admin && <Remove member={member} /> },
        ]}
      />
      {admin && <Invited />}
    </Stack>
  );
}

function Invite() {
  const owner = useMay("owner");
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("member");
  const inviting = useMutation({
    mutationFn: () => request<Schemas["InvitationCreated"]>("POST", "/invitations", { email, role }),
    onSuccess: () => {
      setEmail("");
      return again();
    },
  });
  const wrong = fieldsOf(inviting.error);
  useUnsaved(email !== "", "the invitation");
  return (
    <Section title="Invite somebody" about="You get a link, shown once, to send to them yourself.">
      <Form doing={inviting} verb="Invite">
        <TextInput label="E-mail" type="email" required w={260} value={email} error={wrong["email"]} onChange={(event) => setEmail(event.currentTarget.value)} />
        <NativeSelect label="Role" value={role} onChange={(event) => setRole(event.currentTarget.value as Role)} data={Roles.filter(({ value }) => owner || value !== "owner")} />
      </Form>
      {inviting.data && <Once title={`${inviting.data.email} is invited. Send them this link:`} secret={inviting.data.url} />}
    </Section>
  );
}

function RoleOf({ member }: { member: Schemas["Member"] }) {
  const owner = useMay("owner");
  const changing = useMutation({ mutationFn: (role: string) => request("PATCH", `/members/${member.id}`, { role }), onSuccess: () => changed(member) });
  if (member.role === "owner" && !owner) return <>owner</>;
  return (
    <NativeSelect
      size="xs"
      aria-label={`Role of ${member.name}`}
      value={changing.isPending ? changing.variables : member.role}
      aria-busy={changing.isPending} // disabled, it would lose the focus
      error={changing.isError ? textOf(problemOf(changing.error)) : undefined}
      onChange={(event) => changing.mutate(event.currentTarget.value)}
      data={Roles.filter(({ value }) => owner || value !== "owner").map(({ value }) => value)}
      w={110}
    />
  );
}

function Remove({ member }: { member: Schemas["Member"] }) {
  const owner = useMay("owner");
  if (member.role === "owner" && !owner) return null;
  return (
    <Confirm
      title={member.you ? "Leave the workspace?" : `Remove ${member.name}?`}
      verb={member.you ? "Leave" : "Remove"}
      act={() => request("DELETE", `/members/${member.id}`).then(() => changed(member))}
      ask={(open) => (
        <Button size="compact-xs" variant="default" onClick={open} aria-label={member.you ? "Leave the workspace" : `Remove ${member.name}`}>
          {member.you ? "Leave" : "Remove"}
        </Button>
      )}
    >
      {member.you ? "You" : "They"} lose access at once. What {member.you ? "you" : "they"} made is kept.
    </Confirm>
  );
}

function Invited() {
  const list = queries.useInfiniteQuery("get", "/invitations", { params: { query: { limit: 200 } } }, byCursor);
  const rows = rowsOf<Schemas["Invitation"]>(list.data);
  if (!rows?.length) return null;
  return (
    <DataTable
      label="Invitations"
      rows={rows}
      more={moreOf(list)}
      rowKey={(invitation) => invitation.id}
      columns={[
        { key: "email", header: "Invited", cell: (invitation) => invitation.email },
        { key: "role", header: "Role", cell: (invitation) => invitation.role },
        { key: "by", header: "Invited by", cell: (invitation) => invitation.invited_by },
        { key: "until", header: "Valid until", cell: (invitation) => <Time at={invitation.expires_at} exact /> },
        {
          key: "end",
          header: <VisuallyHidden>Actions</VisuallyHidden>,
          numeric: true,
          cell: (invitation) => (
            <Confirm
              title={`Withdraw the invitation of ${invitation.email}?`}
              verb="Withdraw"
              act={() => request("DELETE", `/invitations/${invitation.id}`).then(again)}
              ask={(open) => (
                <Button size="compact-xs" variant="default" onClick={open} aria-label={`Withdraw the invitation of ${invitation.email}`}>
                  Withdraw
                </Button>
              )}
            >
              The link stops working at once.
            </Confirm>
          ),
        },
      ]}
    />
  );
}
