import { cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import GroupPage from "@/app/(console)/functionalgroups/manage/page";
import type { GroupEditor } from "@/lib/records/groups/editor-queries";
import { groupFlags } from "@/lib/vocabulary/group-flags";
import { recordOf, toSnakeMembers } from "@/lib/vocabulary/members";
import { type HmiLevel, hmiLevels } from "@/lib/vocabulary/terms";
import { aGroupEffect, noEffect } from "@/test/support/console-stubs";
import { router } from "@/test/support/navigation";
import {
  api,
  bodies,
  checkbox,
  combobox,
  expectLink,
  expectNotFound,
  pick,
  press,
  pressNext,
  question,
  region,
  showPage,
  texts,
  type,
} from "@/test/support/page";

const findPage = vi.hoisted(() => vi.fn());
vi.mock("@/lib/records/groups/editor-queries", () => ({ findGroupPage: findPage }));
const loadConsents = vi.hoisted(() => vi.fn());
vi.mock("@/app/(console)/functionalgroups/manage/queries", () => ({ loadConsents, consentDays: 30 }));

const anRpc = (
  name: string,
  levels: readonly HmiLevel[],
  keys: readonly string[] = [],
  chosen: readonly string[] = [],
) =>
  ({
    name,
    selected: levels.length > 0,
    hmi_levels: hmiLevels.map((value) => ({ value, selected: levels.includes(value) })),
    parameters: keys.map((key) => ({ key, selected: chosen.includes(key) })),
  }) satisfies GroupEditor["group"]["rpcs"][number];
const keys = ["gps", "speed", "oemScent"];
const rpcs = [
  anRpc("Alert", []),
  anRpc("GetVehicleData", ["FULL"], keys, ["gps"]),
  anRpc("OnVehicleData", ["FULL"], keys, ["gps"]),
  anRpc("Show", ["FULL", "BACKGROUND"]),
  anRpc("Speak", []),
];
const anEditor = (group: Partial<GroupEditor["group"]> = {}, partial: Partial<GroupEditor> = {}): GroupEditor => ({
  group: {
    ...{ id: 12, name: "Location-1", description: "Where the car is", status: "STAGING", is_deleted: false },
    ...toSnakeMembers(recordOf(groupFlags, () => false)),
    ...{ user_consent_prompt: null, rpcs },
    ...group,
  },
  rpcs: (group.rpcs ?? rpcs).map(({ name, parameters }) => ({
    name,
    parameters: parameters.map(({ key }) => ({ key, isCustom: key.startsWith("oem") })),
  })),
  environment: "staging",
  isPromoted: true,
  changedAt: "2026-02-11T16:20:05.000Z",
  prompts: [
    { category: "Location", state: "production", text: "May it know where you are?" },
    { category: "Draft", state: "staging", text: "May it?" },
  ],
  unmapped: ["Speak"],
  usable: { GetVehicleData: ["gps", "speed"], OnVehicleData: ["gps", "speed"] },
  stagedVehicleData: ["oemScent"],
  ...partial,
});

const setPage = (...page: Parameters<typeof anEditor>) => void findPage.mockResolvedValue(anEditor(...page));
beforeEach(() => setPage());

const show = (query: Record<string, string> = {}) => showPage(GroupPage, "/functionalgroups/manage", query);
const isSet = (name: string) => checkbox(name).getAttribute("aria-checked") === "true";
const save = () => press("Save");
async function saveAll() {
  await save();
  await screen.findByText("Saved to staging");
}
const adding = () => combobox("Add RPCs or parameters");
const sentRpcs = () => {
  const { rpcs: list } = bodies()[0] as {
    rpcs: { name: string; hmi_levels: { value: string }[]; parameters: { key: string }[] }[];
  };
  return Object.fromEntries(
    list.map(({ name, hmi_levels, parameters }) => [
      name,
      [hmi_levels.map(({ value }) => value).join(" "), parameters.map(({ key }) => key).join(" ")].join("|"),
    ]),
  );
};

describe("grid of RPCs", () => {
  it("shows sets with gaps as they are, offers to fill them, and changes nothing by opening", async () => {
    await show();
    expect(hmiLevels.filter((level) => isSet(`Show: ${level}`))).toEqual(["BACKGROUND", "FULL"]);
    expect(screen.getByText("1 RPC has a gap in its levels")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Save" })).toBeNull();
    await press("Fill the gap");
    expect(isSet("Show: LIMITED")).toBe(true);
    expect(screen.queryByText(/has a gap/)).toBeNull();
  });

  it("moves with arrows, sets with Space, and from a level up with Shift+Space", async () => {
    await show();
    const first = checkbox("GetVehicleData: FULL");
    expect(first).toHaveAttribute("tabindex", "0");
    first.focus();
    await userEvent.keyboard("{ArrowDown}{ArrowRight}");
    expect(checkbox("OnVehicleData: LIMITED")).toHaveFocus();
    await userEvent.keyboard(" ");
    expect(isSet("OnVehicleData: LIMITED")).toBe(true);
    await userEvent.keyboard("{ArrowRight}{ArrowRight}{Shift>} {/Shift}");
    expect(hmiLevels.every((level) => isSet(`OnVehicleData: ${level}`))).toBe(true);
    await userEvent.keyboard("{ArrowLeft}{ArrowLeft}{Shift>} {/Shift}");
    expect(isSet("OnVehicleData: BACKGROUND")).toBe(false);
    await userEvent.keyboard("{Control>}{End}{/Control}");
    expect(screen.getByRole("button", { name: "Remove Show" })).toHaveFocus();
  });

  it("adds RPCs with the level chosen, unmapped ones first, and sends the whole group with its version", async () => {
    await show();
    await userEvent.click(adding());
    const options = await screen.findAllByRole("option");
    expect(options[0]).toHaveTextContent(/Speak.*unmapped/);
    await userEvent.click(options[0]!);
    await saveAll();
    expect(api.sent).toMatchObject([
      { path: "/api/v1/groups", body: { name: "Location-1", base_id: 12, is_deleted: false } },
    ]);
    expect(sentRpcs()).toEqual({
      GetVehicleData: "FULL|gps",
      OnVehicleData: "FULL|gps",
      Show: "FULL BACKGROUND|",
      Speak: "FULL|",
    });
  });

  it("offers the best match first, whatever is unmapped, and Enter adds it", async () => {
    const more = ["AlertManeuver", "OnSubtleAlertPressed"].map((name) => anRpc(name, []));
    setPage({ rpcs: [...rpcs, ...more] }, { unmapped: ["OnSubtleAlertPressed"] });
    await show();
    await userEvent.type(adding(), "alert");
    const options = await screen.findAllByRole("option");
    expect(texts("option")).toEqual(["AlertRPC", "AlertManeuverRPC", "OnSubtleAlertPressedunmappedRPC"]);
    await waitFor(() => expect(options[0]).toHaveAttribute("data-highlighted"));
    await userEvent.keyboard("{Enter}");
    expect(isSet("Alert: FULL")).toBe(true);
    expect(screen.queryByRole("checkbox", { name: "AlertManeuver: FULL" })).toBeNull();
  });

  it("takes a pasted list, a parameter under all of its RPCs, and names what it does not know", async () => {
    await show();
    await userEvent.click(adding());
    await userEvent.paste("alert, speed; Nothing\nShow");
    await screen.findByText("Added 2 of 4; 1 already there; not known: Nothing.");
    await saveAll();
    expect(sentRpcs()).toMatchObject({
      Alert: "FULL|",
      GetVehicleData: "FULL|gps speed",
      OnVehicleData: "FULL|gps speed",
    });
  });

  it("sets the levels of selected RPCs, and takes them out", async () => {
    await show();
    await userEvent.click(checkbox("Select Show"));
    await userEvent.click(checkbox("Select GetVehicleData"));
    await press("Remove", within(await screen.findByRole("group", { name: "Selected RPCs" })));
    await saveAll();
    expect(Object.keys(sentRpcs())).toEqual(["OnVehicleData"]);
  });

  it("refuses an RPC without a level, which the server would drop without a word", async () => {
    await show();
    await userEvent.click(checkbox("GetVehicleData: FULL"));
    await save();
    expect(await screen.findByRole("alert")).toHaveTextContent("GetVehicleData: has no HMI level");
    expect(api.sent).toEqual([]);
  });
});

it("parameters: chooses all, none and only custom ones, and marks what would keep the group from production", async () => {
  await show();
  await press("GetVehicleData: 1 of 3 parameters");
  const editor = within(await screen.findByRole("group", { name: "Parameters of GetVehicleData" }));
  const chosen = () => editor.queryAllByRole("button", { pressed: true }).map((button) => button.textContent);
  expect(editor.getByText("custom, staging only")).toBeVisible();
  expect(chosen()).toEqual(["gps"]);
  await press("All", editor);
  expect(chosen()).toHaveLength(3);
  await press("Only custom", editor);
  expect(chosen()).toEqual(["oemScentcustom, staging only"]);
  await press("None", editor);
  expect(chosen()).toEqual([]);
  expect(screen.getByRole("button", { name: "OnVehicleData: 1 of 3 parameters" })).toBeVisible();
});

it("parameters: keeps the vehicle data RPCs in step when asked to", async () => {
  await show();
  await press(/^GetVehicleData: .* parameters$/);
  const editor = within(await screen.findByRole("group", { name: "Parameters of GetVehicleData" }));
  await userEvent.click(editor.getByRole("checkbox", { name: /OnVehicleData in step/ }));
  await press(/^speed/, editor);
  await saveAll();
  expect(sentRpcs()).toMatchObject({ GetVehicleData: "FULL|gps speed", OnVehicleData: "FULL|gps speed" });
});

describe("name and prompt", () => {
  it("a name in use is told while it is typed, and is never replaced", async () => {
    setPage({ id: 0, name: "", status: "" }, { isPromoted: false, changedAt: null });
    api.answer = ({ path }) => ({ data: path === "/api/v1/groups/names" ? { names: ["Base-4"] } : {} });
    await show();
    await type("Name", "Base-4");
    await screen.findByRole("link", { name: "Open the existing group" });
    expectLink("Open the existing group", "/functionalgroups/manage?name=Base-4&environment=staging");
    await save();
    expect(await screen.findByRole("alert")).toHaveTextContent(
      "A group with this name already exists. Choose another name",
    );
    expect(api.sent).toEqual([]);
    await type("Name", "b");
    await saveAll();
    expect(bodies()[0]).toMatchObject({ name: "Base-4b", base_id: 0 });
    expect(router.replace).toHaveBeenCalledWith("/functionalgroups/manage?name=Base-4b&environment=staging");
  });

  it("says that a prompt in staging only blocks promotion", async () => {
    setPage({ user_consent_prompt: "Draft" });
    await show();
    expect(screen.getByText("Blocks publishing")).toBeVisible();
    expect(screen.getByText("“May it?”")).toBeVisible();
  });

  it("keeps a prompt that is gone, and has another one chosen before a save", async () => {
    setPage({ user_consent_prompt: "Gone" });
    await show();
    expect(screen.getByRole("combobox", { name: /Consent prompt/ })).toHaveValue("Gone");
    await type("Description", "!");
    await save();
    expect(await screen.findByRole("alert")).toHaveTextContent("Gone is no longer in staging");
    expect(api.sent).toEqual([]);
  });
});

it.each([
  ["production", { status: "PRODUCTION" }, { environment: "production" }],
  ["a deletion", { is_deleted: true }, {}],
] as const)("read-only: %s cannot be edited", async (_, group, partial) => {
  setPage(group, partial);
  await show();
  await userEvent.click(checkbox("Show: NONE"));
  expect(isSet("Show: NONE")).toBe(false);
  expect(screen.queryByRole("button", { name: /^Remove/ })).toBeNull();
  expect(screen.queryByRole("combobox", { name: "Add RPCs or parameters" })).toBeNull();
  expect(screen.getByRole("textbox", { name: "Description" })).toHaveAttribute("readonly");
  expect(screen.queryByText(/unsaved/)).toBeNull();
});

it("read-only: restores a deletion after saying what that does", async () => {
  setPage({ is_deleted: true });
  const { group } = anEditor({ is_deleted: true });
  const record = { id: group.id, key: group.name, body: group };
  api.answer = ({ method }) => ({ data: method === "GET" ? { record } : {} });
  await show();
  await press("Restore…");
  const dialog = await question();
  expect(dialog.getByText(/returns to the staging table at once/)).toBeVisible();
  await press("Restore the group", dialog);
  await screen.findByText("Restored Location-1 in staging");
  expect(bodies()[0]).toMatchObject({ name: "Location-1", is_deleted: false, base_id: 12 });
});

it("finding E1: what the form does to apps: asks as the form stands, before it is saved, and names who gains what", async () => {
  const asked: unknown[] = [];
  api.answer = ({ path, body }) => {
    if (path !== "/api/v1/ui/groups/effect") return { data: {} };
    asked.push(body);
    const hasAlert = (body as { rpcs: { name: string }[] }).rpcs.some(({ name }) => name === "Alert");
    return { data: { ...noEffect, holder_count: hasAlert ? 2 : 1, effects: hasAlert ? [effect] : [] } };
  };
  const types = { rule: "C17" as const, message: "its AppHMIType lacks REMOTE_CONTROL", cure: "give the app the type" };
  const [right] = aGroupEffect().rpcs;
  const effect = aGroupEffect({
    rpcs: [right!, { ...right!, name: "ButtonPress", parameters: [], app_count: 0, rejected_count: 1 }],
    rejected: [{ ...types, rpcs: ["ButtonPress"], app_count: 1 }],
  });
  await show();
  const pane = () => region("Effect on apps");
  // The pane is fetched when the reader begins to act.
  await userEvent.hover(screen.getByRole("heading", { level: 1 }));
  await screen.findByText("1 app in staging has this group.");
  expect(within(pane()).getByRole("link", { name: "Navigator" })).toHaveAttribute("href", "/applications/7");
  expect(pane()).toHaveTextContent("Make a change to see which apps gain or lose permissions.");
  await userEvent.type(adding(), "alert");
  await userEvent.click(await screen.findByRole("option", { name: /^Alert/ }));
  expect(await screen.findByText("1 app gains Location-1")).toBeVisible();
  expect(pane()).toHaveTextContent("After you save, 2 apps in staging have this group.");
  expect(pane()).toHaveTextContent("Pigeonpost");
  expect(pane()).toHaveTextContent("GetVehicleData (gps) FULL");
  expect(pane()).toHaveTextContent("Drivers are asked first: Location");
  expect(pane()).toHaveTextContent(
    "Cars reject ButtonPress for 1 app: its AppHMIType lacks REMOTE_CONTROL. To change this, give the app the type.",
  );
  expect(pane()).not.toHaveTextContent("through other groups");
  expect(asked.at(-1)).toMatchObject({ name: "Location-1", is_deleted: false });
  expect(api.sent).toEqual([]);
});

it("finding E1: what the form does to apps: finding A4: deleting the group of every app says what is lost and takes its name; Undo brings it back", async () => {
  setPage({ name: "Base-4", is_default: true });
  let isDeleted = false;
  api.answer = ({ method, path }) => {
    if (path.includes("/effect"))
      return { data: { ...noEffect, is_registration_lost: true, is_update_lost: true, effects: [lost] } };
    const body = { ...anEditor().group, name: "Base-4", is_default: true, is_deleted: isDeleted };
    if (method === "GET") return { data: { record: { id: 12, key: "Base-4", body } } };
    isDeleted = true;
    return { data: {} };
  };
  const gone = { ...aGroupEffect().rpcs[0]!, name: "Show", kind: "lost" as const, app_count: 14, parameters: [] };
  const lost = aGroupEffect({ group: "Base-4", kind: "lost", is_default: true, app_count: 14, rpcs: [gone] });
  await show();
  await press("Actions for Base-4");
  await pick("Delete…");
  const dialog = await question();
  expect(await dialog.findByText("14 apps lose Base-4: 1 RPC")).toBeVisible();
  expect(dialog.getByText("Apps may no longer register in staging")).toBeVisible();
  expect(dialog.getByText("Vehicles can no longer update their policy in staging")).toBeVisible();
  await userEvent.type(await dialog.findByRole("textbox", { name: "Type Base-4 to go on" }), "Base-4");
  await press("Delete the group", dialog);
  await screen.findByText("Deleted Base-4 in staging");
  await pressNext("Undo");
  await screen.findByText("Restored Base-4 in staging");
  expect(bodies().map(({ is_deleted }) => is_deleted)).toEqual([true, false]);
});

it("an unknown version is not found; the address is that of the version shown, which may be newer", async () => {
  findPage.mockResolvedValue(null);
  await expectNotFound(show());
  setPage();
  await show({ id: "7" });
  expect(window.location.search).toBe("?id=12&environment=staging");
});

it("shows the group's part of the policy table as the form stands", async () => {
  await show();
  await userEvent.click(checkbox("Show: NONE"));
  await press("Show JSON");
  expect(JSON.parse((await screen.findByRole("region", { name: "Policy JSON of this group" })).textContent)).toEqual({
    "Location-1": {
      encryption_required: false,
      rpcs: {
        GetVehicleData: { hmi_levels: ["FULL"], parameters: ["gps"] },
        OnVehicleData: { hmi_levels: ["FULL"], parameters: ["gps"] },
        Show: { hmi_levels: ["BACKGROUND", "FULL", "NONE"] },
      },
    },
  });
});

it("S9: shows what drivers answered, if anything was reported", async () => {
  await show({ id: "12" });
  expect(screen.queryByRole("region", { name: "Consents" })).not.toBeInTheDocument();
  cleanup();
  loadConsents.mockResolvedValue({ name: "Location-1", yes: 90, no: null, share: null, sample: 0.04 });
  await show({ id: "12" });
  const consents = region("Consents");
  expect(consents).toHaveTextContent(/90 yes, fewer than 10 no/);
  expect(consents).toHaveTextContent("From a sample of 4 %.");
});
