import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import MessagePage from "@/app/(console)/consumermessages/manage/page";
import GroupPage from "@/app/(console)/functionalgroups/manage/page";
import VehicleDataItemPage from "@/app/(console)/vehicledata/manage/page";
import { groupFlags } from "@/lib/vocabulary/group-flags";
import { recordOf, toSnakeMembers } from "@/lib/vocabulary/members";
import { bodies, field, holdAnswers, press, showPage, type } from "@/test/support/page";
import { anItem, scent } from "@/test/support/vehicle-data";

/* U9; of stored records: test/walk/typing.test.ts. */

const load = vi.hoisted(() => ({ group: vi.fn(), message: vi.fn(), item: vi.fn() }));
vi.mock("@/lib/records/groups/editor-queries", () => ({ findGroupPage: load.group }));
vi.mock("@/lib/records/vehicle-data/editor-queries", () => ({ findVehicleDataPage: load.item }));
vi.mock("@/lib/records/messages/console-queries", () => ({
  findMessageOfPage: load.message,
  listTakenNames: () => Promise.resolve([]),
}));
vi.mock("@/lib/records/messages/queries", () => ({
  listLanguages: () => Promise.resolve(["en-us"]),
  loadMessageTemplate: () => Promise.resolve(aMessage(0, "", "").message),
}));

function aGroup(id: number, name: string, description: string) {
  return {
    group: {
      ...{ id, name, description, status: id === 0 ? "" : "STAGING", is_deleted: false },
      ...{ ...toSnakeMembers(recordOf(groupFlags, () => false)), user_consent_prompt: null, rpcs: [] },
    },
    ...{ environment: "staging", isPromoted: false, changedAt: null, prompts: [], rpcs: [] },
    ...{ unmapped: [], usable: {}, stagedVehicleData: [] },
  };
}
function aMessage(id: number, category: string, tts: string) {
  const given = { tts, line1: "", line2: "", text_body: "", label: "" };
  const message = {
    ...{ id, message_category: category, status: "STAGING", is_deleted: false, updated_ts: null },
    languages: [{ id: 1, language_id: "en-us", selected: id !== 0, ...given }],
  };
  return { message, environment: "staging", isInProduction: false, uses: [], usedLanguages: [] };
}

interface Kind {
  readonly page: (props: any) => any;
  readonly path: string;
  readonly query: (isNew: boolean) => Record<string, string>;
  /** Shows a version: its id (0: a new record), its name, and the text of the field. */
  readonly set: (id: number, name: string, text: string) => void;
  readonly label: string;
  readonly nameLabel: string;
  readonly read: (body: any) => unknown;
  readonly baseId: (body: any) => unknown;
}

const kinds: Readonly<Record<string, Kind>> = {
  group: {
    ...{ page: GroupPage, path: "/functionalgroups/manage", label: "Description", nameLabel: "Name" },
    query: (isNew): Record<string, string> => (isNew ? {} : { name: "Typed" }),
    set: (id, name, text) => load.group.mockResolvedValue(aGroup(id, name, text)),
    read: ({ description }) => description,
    baseId: ({ base_id }) => base_id,
  },
  message: {
    ...{ page: MessagePage, path: "/consumermessages/manage", label: "Spoken text", nameLabel: "Category" },
    query: (isNew): Record<string, string> => (isNew ? {} : { category: "Typed" }),
    set: (id, name, text) => load.message.mockResolvedValue(aMessage(id, name, text)),
    read: ({ messages }) => messages[0].languages[0].tts,
    baseId: ({ messages }) => messages[0].base_id,
  },
  "vehicle data item": {
    ...{ page: VehicleDataItemPage, path: "/vehicledata/manage", label: "Key", nameLabel: "Name" },
    query: (isNew): Record<string, string> => (isNew ? { from: "3" } : { id: "20" }),
    set: (id, name, text) =>
      load.item.mockResolvedValue(
        anItem({
          item: { ...scent, id: id === 0 ? null : id, name, key: text },
          ...(id === 0 ? { nodeId: null, status: null, changedAt: null } : { nodeId: id }),
        }),
      ),
    read: ({ key }) => key,
    baseId: ({ base_id }) => base_id,
  },
};

const saved = async () => {
  await screen.findByText("Saved to staging");
};
const counted = () => screen.getByRole("region", { name: "Unsaved changes" });

it.each(Object.entries(kinds))("U9: a new %s keeps what is typed while it is saved, and the focus", async (_, kind) => {
  kind.set(0, "", "a");
  if (kind.path.includes("messages")) load.message.mockResolvedValue(null);
  const { redraw } = await showPage(kind.page, kind.path, kind.query(true));
  await type(kind.nameLabel, "Typed");
  const letGo = holdAnswers();
  await userEvent.clear(field(kind.label));
  await type(kind.label, "ab");
  await press("Save");
  // Once it is sent, its name is fixed.
  await type(kind.nameLabel, "!");
  await type(kind.label, "c");
  letGo();
  await saved();
  kind.set(6, "Typed", "ab");
  await act(() => redraw(kind.query(false)));
  expect(field(kind.label)).toHaveValue("abc");
  expect(field(kind.label)).toHaveFocus();
  expect(counted()).toHaveTextContent("1 unsaved change");
  expect(screen.queryByText("Unsaved changes restored")).not.toBeInTheDocument();
  await press("Save");
  await waitFor(() => expect(bodies()).toHaveLength(2));
  expect(bodies().map((body) => [kind.read(body), kind.baseId(body)])).toEqual([
    ["ab", 0],
    ["abc", 6],
  ]);
  kind.set(0, "", "a");
  if (kind.path.includes("messages")) load.message.mockResolvedValue(null);
  await act(() => redraw(kind.query(true)));
  expect(field(kind.nameLabel)).toHaveValue("");
});
