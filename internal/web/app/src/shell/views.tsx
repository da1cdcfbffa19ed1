import { Button, Checkbox, Menu, TextInput } from "@mantine/core";
import { IconBookmark, IconTrash } from "@tabler/icons-react";
import { useNavigate, useRouterState } from "@tanstack/react-router";
import { type KeyboardEvent, useState } from "react";
import { api, queries, queryClient, type Schemas } from "../api/client";
import { useMutation } from "../api/mutation";
import { fieldsOf } from "../api/problem";
import { Confirm } from "../parts/confirm";
import { DialogForm } from "../parts/dialogform";
import { useUnsaved } from "../parts/unsaved";
import { useMay } from "./session";

const refreshViews = () => queryClient.invalidateQueries({ queryKey: ["get", "/saved-views"] });

/** Views is the menu of saved views of a page. page is its address without the leading slash; narrowed says that there is a filter to save. */
export function Views({ page, narrowed }: { page: string; narrowed: boolean }) {
  const navigate = useNavigate();
  const [saving, setSaving] = useState(false);
  const { data, error } = queries.useQuery("get", "/saved-views", { params: { query: { page, limit: 1000 } } }, { staleTime: 60_000 });
  const [deleting, setDeleting] = useState<Schemas["SavedView"]>();
  const views = data?.data ?? [];
  return (
    <>
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <Button variant="default" leftSection={<IconBookmark size={15} />}>
            Saved views
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah="70vh" style={{ overflowY: "auto" }} onKeyDownCapture={views.length === 0 && !narrowed ? keepArrows : undefined}>
          {views.length === 0 && <Menu.Label>{error == null ? "No saved views yet: narrow the page, then save it" : "Saved views cannot be loaded right now"}</Menu.Label>}
          {views.map((view) => (
            <Menu.Item key={view.id} onClick={() => void navigate({ href: `/${page}?${view.query}` } as never)} rightSection={view.shared ? <small>shared</small> : undefined}>
              {view.name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          {/* Only styled as disabled: otherwise a menu with nothing else in it would have nothing that takes the focus. */}
          <Menu.Item data-disabled={narrowed ? undefined : true} closeMenuOnClick={narrowed} onClick={() => setSaving(narrowed)}>
            Save this view…
          </Menu.Item>
          {views.filter((view) => view.mine).map((view) => (
            <Menu.Item key={view.id} color="red" leftSection={<IconTrash size={14} />} onClick={() => setDeleting(view)}>
              Delete “{view.name}”…
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {saving && <Save page={page} close={() => setSaving(false)} />}
      {deleting && (
        <Confirm key={deleting.id} title={`Delete “${deleting.name}”?`} verb="Delete the view" begin ask={() => null} closed={() => setDeleting(undefined)} act={() => remove(deleting.id)}>
          {deleting.shared ? "It will be gone for everybody in the workspace. " : ""}The calls that it shows are kept.
        </Confirm>
      )}
    </>
  );
}

/** keepArrows keeps the arrow keys from a menu without any enabled item: it would look for the next one in vain, which is an error. */
function keepArrows(event: KeyboardEvent) {
  if (event.key.startsWith("Arrow")) event.stopPropagation();
}

async function remove(id: string) {
  const { error } = await api.DELETE("/saved-views/{id}", { params: { path: { id } } });
  if (error !== undefined) throw error;
  await refreshViews();
}

function Save({ page, close }: { page: string; close: () => void }) {
  const query = useRouterState({ select: (state) => state.location.searchStr.replace(/^\?/, "") });
  const [name, setName] = useState("");
  const mayShare = useMay("member");
  const [shared, setShared] = useState(mayShare);
  const saving = useMutation({
    mutationFn: async () => {
      const { error } = await api.POST("/saved-views", { body: { page, name: name.trim(), query, shared } });
      if (error !== undefined) throw error;
    },
    onSuccess: async () => {
      close();
      await refreshViews();
    },
  });
  useUnsaved(name !== "" && !saving.isSuccess, "the view");
  const wrong = fieldsOf(saving.error);
  return (
    <DialogForm title="Save this view" centered close={close} doing={saving} fields={wrong} verb="Save" disabled={name.trim() === ""}>
      <TextInput label="Name" required maxLength={120} value={name} error={wrong["name"]} onChange={(event) => setName(event.currentTarget.value)} data-autofocus />
      {mayShare && <Checkbox label="Share with everybody in the workspace" checked={shared} onChange={(event) => setShared(event.currentTarget.checked)} />}
    </DialogForm>
  );
}
