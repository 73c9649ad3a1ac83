import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import ModuleConfigPage from "@/app/(console)/moduleconfig/page";
import { listDirty } from "@/app/_components/form/leave-guard";
import type { ModuleConfigPage as Page } from "@/app/(console)/moduleconfig/queries";
import type { WireModuleConfig } from "@/lib/records/module-config/wire";
import { defaultRpcPriorities } from "@/lib/vocabulary/rpc-priorities";
import { aWireModuleConfig } from "@/test/support/module-config";
import { generationEnv, useSettings } from "@/test/support/settings";
import { router } from "@/test/support/navigation";
import {
  api,
  bodies,
  button,
  expectLink,
  expectRedirect,
  field,
  holdAnswers,
  press,
  pressNext,
  showPage,
  type,
} from "@/test/support/page";

let page: Page;
vi.mock("@/app/(console)/moduleconfig/queries", async () => {
  const { z } = await import("zod");
  const { queryEnvironment } = await import("@/lib/platform/zod/query");
  return {
    moduleConfigPageQuery: z.object({ environment: queryEnvironment("staging") }),
    loadModuleConfigPage: () => Promise.resolve(page),
  };
});

let staging: WireModuleConfig;
let pair = { certificate: "", private_key: "" };

beforeEach(() => {
  pair = { certificate: "", private_key: "" };
  staging = aWireModuleConfig({ id: 5, status: "STAGING", timeout_after_x_seconds: 45 });
  page = {
    shown: staging,
    production: aWireModuleConfig({ id: 3, status: "PRODUCTION" }),
    certificate: { kind: "ready", stored: null },
  };
  api.answer = ({ method, path, body }) => {
    if (path.includes("/records/")) return { data: { record: { id: staging.id, key: "", body: staging } } };
    if (method !== "POST") return { data: { module_configs: [{ ...staging, ...pair }] } };
    const { base_id: baseId, keep_certificate: keep, certificate, private_key: key, ...rest } = body as any;
    if (baseId !== staging.id) {
      return { status: 409, message: "The module config was changed meanwhile", data: { current: staging } };
    }
    staging = { ...staging, ...rest, id: (staging.id ?? 0) + 1, status: "STAGING" };
    if (keep !== true) pair = { certificate: String(certificate), private_key: String(key) };
    return { data: {} };
  };
});

const show = (query: Record<string, string> = {}) => showPage(ModuleConfigPage, "/moduleconfig", query);
async function fill(name: string, text: string) {
  await userEvent.clear(field(name));
  await type(name, text);
}
const saves = () => bodies("/api/v1/module");

describe("L5: promoting leads to the review", () => {
  const review = "/changes?items=module_config";

  it("at once when everything is saved, and with unsaved edits asks which state is meant; the saved one leaves them", async () => {
    await show();
    expectLink("Publish to production", review);
    await fill("Days", "31");
    await press("Publish to production");
    await pressNext("Publish saved version");
    expect(router.push).toHaveBeenCalledExactlyOnceWith(review);
    expect(saves()).toEqual([]);
    expect(field("Days")).toHaveValue("31");
  });

  it("L8: a draft that waits goes on from the version that a publication has stored", async () => {
    const { redraw } = await show();
    await fill("Days", "31");
    staging = { ...staging, id: 6, status: "PRODUCTION" };
    page = { ...page, shown: staging };
    await act(() => redraw());
    await press("Save");
    await screen.findByText("Saved to staging");
    expect(saves()).toEqual([expect.objectContaining({ exchange_after_x_days: 31, base_id: 6 })]);
  });

  it("offers only to save as well, when production has what is saved", async () => {
    page = { ...page, shown: { ...staging, status: "PRODUCTION" } };
    await show();
    expect(screen.queryByRole("link", { name: "Publish to production" })).not.toBeInTheDocument();
    await fill("Days", "31");
    await press("Publish to production");
    const dialog = await screen.findByRole("alertdialog", { name: "Publish with unsaved changes?" });
    expect(within(dialog).queryByRole("button", { name: "Publish saved version" })).not.toBeInTheDocument();
    await press("Save and publish", within(dialog));
    await waitFor(() => expect(router.push).toHaveBeenCalledExactlyOnceWith(review));
    expect(saves()).toEqual([expect.objectContaining({ exchange_after_x_days: 31, base_id: 5 })]);
  });

  it("promotes nothing when the edits cannot be saved, and says why in the form", async () => {
    await show();
    await fill("Days", "300");
    await press("Publish to production");
    await pressNext("Save and publish");
    expect(await screen.findByRole("alert")).toHaveTextContent(
      "Refresh after days: Must be a whole number from 0 to 255",
    );
    expect(router.push).not.toHaveBeenCalled();
    expect(api.sent).toEqual([]);
    expect(field("Days")).toHaveValue("300");
  });
});

describe("drafts of the module config", () => {
  it("ask after a conflict only about the fields that both have changed", async () => {
    await show();
    await fill("Software updates", "https://mine.example.com/update");
    await fill("Emergency, normal", "59");
    const { endpoints, notifications_per_minute_by_priority: counts } = staging;
    staging = {
      ...staging,
      id: 8,
      endpoints: {
        ...endpoints,
        "0x04": "https://theirs.example.com/update",
        queryAppsUrl: "https://theirs.example.com/apps",
      },
      notifications_per_minute_by_priority: { ...counts, NONE: 2 },
    };
    await press("Save");
    const dialog = await screen.findByRole("dialog", { name: "Someone else has saved changes" });
    expect(within(dialog).getAllByRole("group")).toHaveLength(1);
    expect(within(dialog).getByRole("group", { name: "Software updates" })).toBeVisible();
    expect(dialog).toHaveTextContent(/taken over.*Apps on iOS phones.*Notifications: None/);
    expect(dialog).toHaveTextContent(/kept.*Notifications: Emergency/);
    await userEvent.click(within(dialog).getByRole("radio", { name: /Theirs/ }));
    await press("Save my choice", within(dialog));
    await screen.findByText("Saved to staging");
    expect(saves().at(-1)).toMatchObject({
      base_id: 8,
      endpoints: { "0x04": "https://theirs.example.com/update", queryAppsUrl: "https://theirs.example.com/apps" },
      notifications_per_minute_by_priority: { EMERGENCY: 59, NONE: 2 },
    });
  });

  it("can be taken back after the save: the version before is stored as a new one", async () => {
    await show();
    await fill("Days", "31");
    await press("Save");
    await pressNext("Undo");
    await screen.findByText("The previous version of the module config is back in staging");
    expect(saves()).toEqual([
      expect.objectContaining({ exchange_after_x_days: 31, base_id: 5 }),
      expect.objectContaining({ exchange_after_x_days: 30, keep_certificate: true, base_id: 6 }),
    ]);
  });

  it("are not taken back over what somebody else has saved since", async () => {
    await show();
    await fill("Days", "31");
    await press("Save");
    const undo = await screen.findByRole("button", { name: "Undo" });
    staging = { ...staging, id: 9, timeout_after_x_seconds: 99 };
    await userEvent.click(undo);
    await screen.findByText("Nothing was undone: someone else has saved the module config.");
    expect(saves()).toEqual([expect.objectContaining({ exchange_after_x_days: 31, base_id: 5 })]);
  });
});

it("Q6: says beside the fields that phones cannot use an address without TLS", async () => {
  useSettings({ PUBLIC_BASE_URL: "http://policy.example:3000" });
  const { unmount } = await show();
  expect(screen.getByText("Phones ask by HTTPS on this port, whatever is announced")).toBeVisible();
  unmount();
  useSettings({ PUBLIC_BASE_URL: "https://policy.example" });
  await show();
  expect(screen.queryByText(/Phones ask by HTTPS/)).toBeNull();
});

describe("key and certificate", () => {
  it("finding B8: says that everybody can have the private key, unless tables hold a container", async () => {
    const generation = generationEnv("a passphrase that is long");
    useSettings(generation);
    const { unmount } = await show();
    expect(screen.getByText(/contain this private key as plain text/)).toBeVisible();
    unmount();
    useSettings({ ...generation, MODULE_CONFIG_ENCRYPT_CERT_BUNDLE: "true" });
    await show();
    expect(screen.queryByText(/as plain text/)).toBeNull();
  });

  it("are stored without touching unsaved fields, whose save then is no conflict", async () => {
    const { redraw } = await show();
    await fill("Days", "31");
    await userEvent.type(field("Certificate"), "CERT");
    await userEvent.type(field("Private key"), "K");
    expect(listDirty()).toContain("certificate:module-config");
    await press("Save key and certificate");
    await screen.findByText("Key and certificate saved to staging");
    expect(saves()).toEqual([
      expect.objectContaining({ certificate: "CERT", private_key: "K", exchange_after_x_days: 30, base_id: 5 }),
    ]);
    expect(listDirty()).not.toContain("certificate:module-config");
    page = { ...page, shown: staging };
    await act(() => redraw());
    expect(field("Days")).toHaveValue("31");
    await press("Save");
    await screen.findByText("Saved to staging");
    expect(saves().at(-1)).toMatchObject({ exchange_after_x_days: 31, keep_certificate: true, base_id: 6 });
  });

  it("U9: keep what is typed while they are stored", async () => {
    await show();
    await userEvent.type(field("Certificate"), "CERT");
    await userEvent.type(field("Private key"), "K");
    const letGo = holdAnswers();
    await press("Save key and certificate");
    await userEvent.type(field("Certificate"), "+");
    letGo();
    await screen.findByText("Key and certificate saved to staging");
    expect(field("Certificate")).toHaveValue("CERT+");
    expect(saves()).toEqual([expect.objectContaining({ certificate: "CERT", private_key: "K" })]);
    expect(listDirty()).toContain("certificate:module-config");
  });

  it("are loaded on purpose only; in production they are for reading", async () => {
    const names = { subject: "CN=policy.example.com", issuer: "CN=Authority", serialNumber: "01AB" };
    const stored = { ...names, validFrom: "2026-01-01T00:00:00.000Z", validTo: "2026-01-08T00:00:00.000Z" };
    page = { ...page, certificate: { kind: "ready", stored } };
    pair = { certificate: "STORED CERT", private_key: "STORED KEY" };
    await show({ environment: "production" });
    expect(screen.queryByRole("textbox", { name: "Certificate" })).not.toBeInTheDocument();
    await press("Load stored key and certificate");
    expect(await screen.findByDisplayValue("STORED CERT")).toHaveAttribute("readonly");
    expect(document.body.innerHTML).not.toContain("STORED KEY");
    await press("Reveal private key");
    expect(screen.getByDisplayValue("STORED KEY")).toHaveAttribute("readonly");
    expect(screen.queryByRole("button", { name: /Save|Generate|Remove…/ })).not.toBeInTheDocument();
    await press("Clear");
    expect(screen.queryByDisplayValue("STORED CERT")).not.toBeInTheDocument();
  });

  it("cannot be made by an authority that does not open", async () => {
    page = { ...page, certificate: { kind: "unusable" } };
    await show();
    expect(screen.getByText(/passphrase does not open/)).toBeVisible();
    expect(screen.queryByRole("button", { name: /Generate/ })).not.toBeInTheDocument();
  });
});

describe("U13: a number", () => {
  it("that is none stays as typed, says so, and is not saved as the one before", async () => {
    await show();
    await fill("Timeout", "abc");
    expect(field("Timeout")).toHaveValue("abc");
    expect(field("Timeout")).toHaveAccessibleDescription(/“abc” is not a number/);
    await press("Save");
    expect(await screen.findByRole("alert")).toHaveTextContent("Timeout: Must be a whole number from 0 to 65535");
    expect(saves()).toEqual([]);
    await fill("Timeout", "7");
    await press("Save");
    await waitFor(() => expect(saves()).toEqual([expect.objectContaining({ timeout_after_x_seconds: 7 })]));
  });

  it("of a list has its error beside it", async () => {
    await show();
    await fill("Pause after retry 2", "0");
    await press("Save");
    expect(await screen.findByRole("alert")).toHaveTextContent("Retries: Must be a whole number from 1 to 1000");
    expect(field("Pause after retry 2")).toHaveAccessibleDescription("Must be a whole number from 1 to 1000");
  });

  it("steps with arrows and buttons, within its bounds", async () => {
    await show();
    await userEvent.type(field("Days"), "{ArrowUp}{ArrowUp}{ArrowDown}");
    expect(field("Days")).toHaveValue("31");
    await fill("Days", "250");
    await userEvent.type(field("Days"), "{Shift>}{ArrowUp}{/Shift}");
    expect(field("Days")).toHaveValue("255");
    const days = within(field("Days").parentElement!);
    expect(button("More", days)).toBeDisabled();
    await press("Less", days);
    expect(field("Days")).toHaveValue("254");
  });
});

describe("focus", () => {
  const counts = aWireModuleConfig().notifications_per_minute_by_priority;

  it("goes to the pause before when the last one is removed, and to Add when none is left", async () => {
    page = { ...page, shown: { ...staging, seconds_between_retries: [1, 5] } };
    await show();
    await press("Remove pause 2");
    expect(button("Remove pause 1")).toHaveFocus();
    await press("Remove pause 1");
    expect(button("Add pause")).toHaveFocus();
  });

  it("goes along with a pause that is moved", async () => {
    await show();
    await press("Move pause 1 down");
    expect(button("Move pause 2 down")).toHaveFocus();
    await press("Remove pause 5");
    await press("Save");
    await screen.findByText("Saved to staging");
    expect(saves()).toEqual([expect.objectContaining({ seconds_between_retries: [5, 1, 25, 125] })]);
  });

  it("goes to the field when it is put back to the value of production", async () => {
    page = { ...page, shown: { ...staging, lock_screen_dismissal_enabled: false, seconds_between_retries: [] } };
    page = { ...page, production: aWireModuleConfig({ notifications_per_minute_by_priority: { ...counts, NONE: 3 } }) };
    await show();
    await press("Reset to the production value, 60");
    expect(field("Timeout")).toHaveFocus();
    await press("Reset to the production value, yes");
    expect(screen.getByRole("switch")).toHaveFocus();
    await press("Reset to the production value, 3");
    expect(field("None, normal")).toHaveFocus();
    await press("Reset to the production value, 1, 5, 25, 125, 625");
    expect(field("Pause after retry 1")).toHaveFocus();
  });
});

describe("RPC priorities", () => {
  const sent = () => saves().at(-1).rpc_priority_table;

  it("begin with the defaults; RPCs are added and removed, a number that is cleared is not sent, and the focus follows", async () => {
    await show();
    await press("Fill in defaults");
    await type("RPC to add", "UI.A b");
    expect(screen.getByText("Must be named like UI.Alert")).toBeVisible();
    await fill("RPC to add", "UI.SubtleAlert{Enter}");
    expect(field("Priority of UI.SubtleAlert")).toHaveFocus();
    expect(saves()).toEqual([]);
    await press("Save");
    expect(await screen.findByRole("alert")).toHaveTextContent(
      "RPC priorities: Must be a whole number from 0 to 2147483647",
    );
    expect(api.sent).toEqual([]);
    await type("Priority of UI.SubtleAlert", "4");
    await press("Remove TTS.SPEAK");
    expect(button("Remove UI.Alert")).toHaveFocus();
    for (const name of ["FULL", "LIMITED", "BACKGROUND", "NONE"]) await userEvent.clear(field(name));
    await press("Save");
    await screen.findByText("Saved to staging");
    const { "TTS.SPEAK": _, ...others } = defaultRpcPriorities.rpc_priority;
    expect(sent()).toEqual({
      rpc_priority: { ...others, "UI.SubtleAlert": 4 },
      app_priority: defaultRpcPriorities.app_priority,
    });
  });

  it("stay in view while the last one is cleared, and all of them can be removed", async () => {
    page = { ...page, shown: { ...staging, rpc_priority_table: { hmi_status_priority: { FULL: 1 } } } };
    await show();
    await fill("FULL", "3");
    await press("Remove all");
    expect(screen.queryByLabelText("FULL")).toBeNull();
    await press("Save");
    await screen.findByText("Saved to staging");
    expect(sent()).toBeUndefined();
  });

  it("of production are shown without a way to change them", async () => {
    page = { ...page, shown: aWireModuleConfig({ rpc_priority_table: { rpc_priority: { "UI.Alert": 2 } } }) };
    await show({ environment: "production" });
    expect(field("Priority of UI.Alert")).toHaveAttribute("readonly");
    expect(screen.queryByRole("button", { name: /Add RPC|Remove|Fill in/ })).toBeNull();
  });
});

it("unknown and malformed parameters are removed from the address", async () => {
  await expectRedirect(show({ environment: "nowhere" }), "/moduleconfig");
  await expectRedirect(show({ environment: "production", tab: "x" }), "/moduleconfig?environment=production");
  await show({ environment: "PRODUCTION" });
});
