import { configure, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import GroupPage from "@/app/(console)/functionalgroups/manage/page";
import { Toaster } from "@/app/_components/shell/toaster";
import type { GroupEditor } from "@/lib/content/groups/editor-queries";
import { groupFlags } from "@/lib/labels/group-flags";
import { recordOf, toSnakeMembers } from "@/lib/labels/members";
import { type HmiLevel, hmiLevels } from "@/lib/labels/vocabulary";
import { noEffect, type SentRequest, stubApi, type StubbedAnswer, stubBrowser } from "@/test/support/console-stubs";
import { forgetSettings, useSettings } from "@/test/support/settings";

let page: GroupEditor | null;
let answers: (request: SentRequest) => StubbedAnswer;
let sent: SentRequest[] = [];
const router = { push: vi.fn(), replace: vi.fn(), refresh: vi.fn() };

vi.mock("next/headers", () => ({ headers: () => Promise.resolve(new Headers()) }));
vi.mock("next/navigation", async (original) => ({
  ...(await original<object>()),
  useRouter: () => router,
  useSearchParams: () => new URLSearchParams(),
  usePathname: () => "/functionalgroups/manage",
}));
vi.mock("@/lib/content/groups/editor-queries", () => ({ findGroupPage: () => Promise.resolve(page) }));

const anRpc = (
  name: string,
  levels: readonly HmiLevel[],
  keys: readonly string[] = [],
  chosen: readonly string[] = [],
) =>
  ({
    name,
    selected: levels.length > 0,
    hmi_levels: hmiLevels.map((level) => ({ name: level, value: level, selected: levels.includes(level) })),
    parameters: keys.map((key) => {
      return { name: key, key, is_custom: key.startsWith("oem"), selected: chosen.includes(key) };
    }),
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
    ...{ user_consent_prompt: null, selected_prompt_id: null, selected_prompt_status: null },
    ...{ selected_rpc_count: 3, selected_parameter_count: 1, rpcs },
    ...group,
  },
  storedPrompt: null,
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

configure({ asyncUtilTimeout: 30_000 });
forgetSettings();
beforeEach(() => {
  useSettings();
  stubBrowser();
  answers = () => ({ data: {} });
  sent = stubApi((request) => answers(request));
  for (const spy of Object.values(router)) spy.mockClear();
  page = anEditor();
  localStorage.clear();
  sessionStorage.clear();
});
afterEach(async () => {
  // Drafts outlive the page; the next test begins without.
  const { discardDrafts } = await import("@/app/_components/form/draft-store");
  discardDrafts(["group:Location-1", "group-new:"]);
  vi.unstubAllGlobals();
});

async function show() {
  render(
    <>
      {await GroupPage({ params: Promise.resolve({}), searchParams: Promise.resolve({}) })}
      <Toaster />
    </>,
  );
}
const cell = (name: string) => screen.getByRole("checkbox", { name });
const isSet = (name: string) => cell(name).getAttribute("aria-checked") === "true";
const save = () => userEvent.click(screen.getByRole("button", { name: "Save" }));
const sentRpcs = () => {
  const { rpcs: list } = sent[0]?.body as {
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
    expect(["FULL", "LIMITED", "BACKGROUND", "NONE"].map((level) => isSet(`Show: ${level}`))).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect(screen.getByText("1 RPC has a gap in its levels")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Save" })).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Fill the gap" }));
    expect(isSet("Show: LIMITED")).toBe(true);
    expect(screen.queryByText(/has a gap/)).toBeNull();
  });

  it("7: opening and saving without edits stores nothing", async () => {
    await show();
    fireEvent.keyDown(document, { key: "s", ctrlKey: true });
    // Back and forth is no edit either.
    await userEvent.click(cell("Show: NONE"));
    await userEvent.click(cell("Show: NONE"));
    fireEvent.keyDown(document, { key: "s", ctrlKey: true });
    expect(screen.queryByText(/unsaved change/)).toBeNull();
    expect(sent).toEqual([]);
  });

  it("moves with arrows, sets with Space, and from a level up with Shift+Space", async () => {
    await show();
    const first = cell("GetVehicleData: FULL");
    expect(first).toHaveAttribute("tabindex", "0");
    first.focus();
    await userEvent.keyboard("{ArrowDown}{ArrowRight}");
    expect(cell("OnVehicleData: LIMITED")).toHaveFocus();
    await userEvent.keyboard(" ");
    expect(isSet("OnVehicleData: LIMITED")).toBe(true);
    await userEvent.keyboard("{ArrowRight}{ArrowRight}{Shift>} {/Shift}");
    expect(["FULL", "LIMITED", "BACKGROUND", "NONE"].every((level) => isSet(`OnVehicleData: ${level}`))).toBe(true);
    await userEvent.keyboard("{ArrowLeft}{ArrowLeft}{Shift>} {/Shift}");
    expect(isSet("OnVehicleData: BACKGROUND")).toBe(false);
    await userEvent.keyboard("{Control>}{End}{/Control}");
    expect(screen.getByRole("button", { name: "Remove Show" })).toHaveFocus();
  });

  it("adds RPCs with the level chosen, unmapped ones first, and sends the whole group with its version", async () => {
    await show();
    await userEvent.click(screen.getByRole("combobox", { name: "Add RPCs or parameters" }));
    const options = await screen.findAllByRole("option");
    expect(options[0]).toHaveTextContent(/Speak.*unmapped/);
    await userEvent.click(options[0]!);
    await save();
    await screen.findByText("Saved to staging");
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({
      path: "/api/v1/groups",
      body: { name: "Location-1", base_id: 12, is_deleted: false },
    });
    expect(sentRpcs()).toEqual({
      GetVehicleData: "FULL|gps",
      OnVehicleData: "FULL|gps",
      Show: "FULL BACKGROUND|",
      Speak: "FULL|",
    });
  });

  it("offers the best match first, whatever is unmapped, and Enter adds it", async () => {
    const more = ["AlertManeuver", "OnSubtleAlertPressed"].map((name) => anRpc(name, []));
    page = anEditor({ rpcs: [...rpcs, ...more] }, { unmapped: ["OnSubtleAlertPressed"] });
    await show();
    await userEvent.type(screen.getByRole("combobox", { name: "Add RPCs or parameters" }), "alert");
    const options = await screen.findAllByRole("option");
    expect(options.map(({ textContent }) => textContent)).toEqual([
      "AlertRPC",
      "AlertManeuverRPC",
      "OnSubtleAlertPressedunmappedRPC",
    ]);
    await waitFor(() => expect(options[0]).toHaveAttribute("data-highlighted"));
    await userEvent.keyboard("{Enter}");
    expect(isSet("Alert: FULL")).toBe(true);
    expect(screen.queryByRole("checkbox", { name: "AlertManeuver: FULL" })).toBeNull();
  });

  it("takes a pasted list, a parameter under all of its RPCs, and names what it does not know", async () => {
    await show();
    await userEvent.click(screen.getByRole("combobox", { name: "Add RPCs or parameters" }));
    await userEvent.paste("alert, speed; Nothing\nShow");
    await screen.findByText("Added 2 of 4; 1 already there; not known: Nothing.");
    await save();
    await screen.findByText("Saved to staging");
    expect(sentRpcs()).toMatchObject({
      Alert: "FULL|",
      GetVehicleData: "FULL|gps speed",
      OnVehicleData: "FULL|gps speed",
    });
  });

  it("sets the levels of selected RPCs, and takes them out", async () => {
    await show();
    await userEvent.click(cell("Select Show"));
    await userEvent.click(cell("Select GetVehicleData"));
    const bar = within(screen.getByRole("group", { name: "Selected RPCs" }));
    await userEvent.click(bar.getByRole("button", { name: "Remove" }));
    await save();
    await screen.findByText("Saved to staging");
    expect(Object.keys(sentRpcs())).toEqual(["OnVehicleData"]);
  });

  it("refuses an RPC without a level, which the server would drop without a word", async () => {
    await show();
    await userEvent.click(cell("GetVehicleData: FULL"));
    await save();
    expect(await screen.findByRole("alert")).toHaveTextContent("GetVehicleData: has no HMI level");
    expect(sent).toEqual([]);
  });
});

describe("parameters", () => {
  it("chooses all, none and only custom ones, and marks what would keep the group from production", async () => {
    await show();
    await userEvent.click(screen.getByRole("button", { name: "GetVehicleData: 1 of 3 parameters" }));
    const editor = within(await screen.findByRole("group", { name: "Parameters of GetVehicleData" }));
    const chosen = () => editor.queryAllByRole("button", { pressed: true }).map((button) => button.textContent);
    expect(editor.getByText("custom, staging only")).toBeVisible();
    expect(chosen()).toEqual(["gps"]);
    await userEvent.click(editor.getByRole("button", { name: "All" }));
    expect(chosen()).toHaveLength(3);
    await userEvent.click(editor.getByRole("button", { name: "Only custom" }));
    expect(chosen()).toEqual(["oemScentcustom, staging only"]);
    await userEvent.click(editor.getByRole("button", { name: "None" }));
    expect(chosen()).toEqual([]);
    expect(screen.getByRole("button", { name: "OnVehicleData: 1 of 3 parameters" })).toBeVisible();
  });

  it("keeps the vehicle data RPCs in step when asked to", async () => {
    await show();
    await userEvent.click(screen.getByRole("button", { name: /^GetVehicleData: .* parameters$/ }));
    const editor = within(await screen.findByRole("group", { name: "Parameters of GetVehicleData" }));
    await userEvent.click(editor.getByRole("checkbox", { name: /OnVehicleData in step/ }));
    await userEvent.click(editor.getByRole("button", { name: /^speed/ }));
    await save();
    await screen.findByText("Saved to staging");
    expect(sentRpcs()).toMatchObject({ GetVehicleData: "FULL|gps speed", OnVehicleData: "FULL|gps speed" });
  });
});

describe("name and prompt", () => {
  it("a name in use is told while it is typed, and is never replaced", async () => {
    page = anEditor({ id: 0, name: "", status: "" }, { isPromoted: false, changedAt: null });
    answers = ({ path }) => ({ data: path === "/api/v1/groups/names" ? { names: ["Base-4"] } : {} });
    await show();
    await userEvent.type(screen.getByRole("textbox", { name: "Name" }), "Base-4");
    const link = await screen.findByRole("link", { name: "Open the existing group" });
    expect(link).toHaveAttribute("href", "/functionalgroups/manage?name=Base-4&environment=staging");
    await save();
    expect(await screen.findByRole("alert")).toHaveTextContent(
      "A group with this name already exists. Choose another name",
    );
    expect(sent).toEqual([]);
    await userEvent.type(screen.getByRole("textbox", { name: "Name" }), "b");
    await save();
    await screen.findByText("Saved to staging");
    expect(sent[0]).toMatchObject({ body: { name: "Base-4b", base_id: 0 } });
    expect(router.replace).toHaveBeenCalledWith("/functionalgroups/manage?name=Base-4b&environment=staging");
  });

  it("says that a prompt in staging only blocks promotion", async () => {
    page = anEditor({}, { storedPrompt: "Draft" });
    await show();
    expect(screen.getByText("Blocks publishing")).toBeVisible();
    expect(screen.getByText("“May it?”")).toBeVisible();
  });

  it("keeps a prompt that is gone, and has another one chosen before a save", async () => {
    page = anEditor({}, { storedPrompt: "Gone" });
    await show();
    expect(screen.getByRole("combobox", { name: /Consent prompt/ })).toHaveValue("Gone");
    await userEvent.type(screen.getByRole("textbox", { name: "Description" }), "!");
    await save();
    expect(await screen.findByRole("alert")).toHaveTextContent("Gone is no longer in staging");
    expect(sent).toEqual([]);
  });

  it("a refused save keeps everything that was typed", async () => {
    answers = () => ({ status: 400, message: "Words of the server" });
    await show();
    await userEvent.type(screen.getByRole("textbox", { name: "Description" }), "!");
    await save();
    expect(await screen.findByText("Words of the server")).toBeVisible();
    expect(screen.getByRole("textbox", { name: "Description" })).toHaveValue("Where the car is!");
  });
});

describe("read-only", () => {
  it.each([
    ["production", anEditor({ status: "PRODUCTION" }, { environment: "production" })],
    ["a deletion", anEditor({ is_deleted: true })],
  ])("%s cannot be edited", async (_, found) => {
    page = found;
    await show();
    await userEvent.click(cell("Show: NONE"));
    expect(isSet("Show: NONE")).toBe(false);
    expect(screen.queryByRole("button", { name: /^Remove/ })).toBeNull();
    expect(screen.queryByRole("combobox", { name: "Add RPCs or parameters" })).toBeNull();
    expect(screen.getByRole("textbox", { name: "Description" })).toHaveAttribute("readonly");
    expect(screen.queryByText(/unsaved/)).toBeNull();
  });

  it("restores a deletion after saying what that does", async () => {
    page = anEditor({ is_deleted: true });
    const { group } = anEditor({ is_deleted: true });
    answers = ({ method }) => ({ data: method === "GET" ? { group } : {} });
    await show();
    await userEvent.click(screen.getByRole("button", { name: "Restore…" }));
    const dialog = within(await screen.findByRole("alertdialog"));
    expect(dialog.getByText(/returns to the staging table at once/)).toBeVisible();
    await userEvent.click(dialog.getByRole("button", { name: "Restore the group" }));
    await screen.findByText("Restored Location-1 in staging");
    expect(sent[0]).toMatchObject({ body: { name: "Location-1", is_deleted: false, base_id: 12 } });
  });
});

describe("finding E1: what the form does to apps", () => {
  const rpc = {
    name: "GetVehicleData",
    kind: "gained",
    hmi_levels: ["FULL"],
    parameters: ["gps"],
    app_count: 1,
    builds: ["regular", "external"],
  };
  const effect = {
    ...{ group: "Location-1", kind: "gained", is_default: false, prompt_before: null, prompt_after: "Location" },
    ...{ app_count: 1, apps: [{ id: 5, name: "Pigeonpost" }], rpcs: [rpc] },
  };

  it("asks as the form stands, before it is saved, and names who gains what", async () => {
    const asked: unknown[] = [];
    answers = ({ path, body }) => {
      if (path !== "/api/v1/ui/groups/effect") return { data: {} };
      asked.push(body);
      const hasAlert = (body as { rpcs: { name: string }[] }).rpcs.some(({ name }) => name === "Alert");
      return { data: { ...noEffect, holder_count: hasAlert ? 2 : 1, effects: hasAlert ? [effect] : [] } };
    };
    await show();
    const pane = () => screen.getByRole("region", { name: "Effect on apps" });
    // The pane is fetched when the reader begins to act.
    await userEvent.hover(screen.getByRole("heading", { level: 1 }));
    await screen.findByText("1 app in staging has this group.");
    expect(pane()).toHaveTextContent("Make a change to see which apps gain or lose permissions.");
    await userEvent.type(screen.getByRole("combobox", { name: "Add RPCs or parameters" }), "alert");
    await userEvent.click(await screen.findByRole("option", { name: /^Alert/ }));
    expect(await screen.findByText("1 app gains Location-1")).toBeVisible();
    expect(pane()).toHaveTextContent("After you save, 2 apps in staging have this group.");
    expect(pane()).toHaveTextContent("Pigeonpost");
    expect(pane()).toHaveTextContent("GetVehicleData (gps) FULL");
    expect(pane()).toHaveTextContent("Drivers are asked first: Location");
    expect(asked.at(-1)).toMatchObject({ name: "Location-1", is_deleted: false });
    expect(sent).toEqual([]);
  });

  it("finding A4: deleting the group of every app says what is lost and takes its name; Undo brings it back", async () => {
    page = anEditor({ name: "Base-4", is_default: true });
    let isDeleted = false;
    answers = ({ method, path }) => {
      if (path.includes("/effect")) return { data: { ...noEffect, is_registration_lost: true, effects: [lost] } };
      if (method === "GET") return { data: { group: { ...anEditor().group, ...base, is_deleted: isDeleted } } };
      isDeleted = true;
      return { data: {} };
    };
    const base = { id: 12, name: "Base-4", is_default: true };
    const gone = { ...rpc, name: "Show", kind: "lost", app_count: 14, parameters: [] };
    const lost = { ...effect, group: "Base-4", kind: "lost", is_default: true, app_count: 14, rpcs: [gone] };
    await show();
    await userEvent.click(screen.getByRole("button", { name: "Actions for Base-4" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "Delete…" }));
    const dialog = within(await screen.findByRole("alertdialog"));
    expect(await dialog.findByText("14 apps lose Base-4: 1 RPC")).toBeVisible();
    expect(dialog.getByText("Apps can no longer register in staging")).toBeVisible();
    await userEvent.type(await dialog.findByRole("textbox", { name: "Type Base-4 to go on" }), "Base-4");
    await userEvent.click(dialog.getByRole("button", { name: "Delete the group" }));
    await screen.findByText("Deleted Base-4 in staging");
    await userEvent.click(await screen.findByRole("button", { name: "Undo" }));
    await screen.findByText("Restored Base-4 in staging");
    expect(sent.map(({ body }) => (body as { is_deleted: boolean }).is_deleted)).toEqual([true, false]);
  });
});

it("an unknown version is not found", async () => {
  page = null;
  await expect(show()).rejects.toMatchObject({ digest: expect.stringContaining("404") });
});

it("the address is that of the version shown, which may be newer than the one asked for", async () => {
  window.history.replaceState(null, "", "/functionalgroups/manage?id=7");
  await show();
  expect(window.location.search).toBe("?id=12&environment=staging");
});

it("shows the group's part of the policy table as the form stands", async () => {
  await show();
  await userEvent.click(cell("Show: NONE"));
  const text = (await screen.findByRole("region", { name: "Policy JSON of this group" })).textContent;
  expect(JSON.parse(text)).toEqual({
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
