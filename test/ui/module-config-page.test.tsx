import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { followPublished } from "@/app/(console)/changes/follow-published";
import ModuleConfigPage from "@/app/(console)/moduleconfig/page";
import { discardDrafts } from "@/app/_components/form/draft-store";
import { listDirty } from "@/app/_components/form/leave-guard";
import { Toaster } from "@/app/_components/shell/toaster";
import type { ModuleConfigPage as Page } from "@/lib/console/module-config";
import type { WireModuleConfig } from "@/lib/content/module-config/wire";
import { stubBrowser } from "@/test/support/console-stubs";
import { aWireModuleConfig } from "@/test/support/module-config";
import { forgetSettings, generationEnv, useSettings } from "@/test/support/settings";

const router = { push: vi.fn(), replace: vi.fn(), refresh: vi.fn() };
let page: Page;

vi.mock("next/headers", () => ({ headers: () => Promise.resolve(new Headers()) }));
vi.mock("next/navigation", async (original) => ({
  ...(await original<object>()),
  useRouter: () => router,
  usePathname: () => "/moduleconfig",
  useSearchParams: () => new URLSearchParams(window.location.search),
}));
vi.mock("@/lib/console/module-config", async () => {
  const { z } = await import("zod");
  const { queryEnvironment } = await import("@/lib/platform/zod/query");
  return {
    moduleConfigPageQuery: z.object({ environment: queryEnvironment("staging") }),
    loadModuleConfigPage: () => Promise.resolve(page),
  };
});

/** What the API holds, and what was sent to it. */
let staging: WireModuleConfig;
let sent: { readonly path: string; readonly body: Record<string, unknown> }[] = [];
let pair = { certificate: "", private_key: "" };

function answer(path: string, init: { readonly method?: string; readonly body?: string } = {}) {
  const reply = (code: number, message: string | null, data: unknown) =>
    Response.json({ meta: { request_id: "9a1e", code, message }, data }, { status: code });
  if (init.method !== "POST") return reply(200, null, { module_configs: [{ ...staging, ...pair }] });
  const body = JSON.parse(init.body ?? "{}") as Record<string, unknown>;
  sent.push({ path, body });
  const id = (staging.id ?? 0) + 1;
  if (body.base_id !== staging.id) {
    return reply(409, "The module config was changed meanwhile", { current: staging });
  } else {
    const { base_id: _base, keep_certificate: keep, certificate, private_key: key, ...rest } = body;
    staging = { ...staging, ...rest, id, status: "STAGING" };
    if (keep !== true) pair = { certificate: String(certificate), private_key: String(key) };
  }
  return reply(200, null, {});
}

forgetSettings();
beforeEach(() => {
  useSettings();
  stubBrowser();
  sent = [];
  pair = { certificate: "", private_key: "" };
  staging = aWireModuleConfig({ id: 5, status: "STAGING", timeout_after_x_seconds: 45 });
  page = {
    shown: staging,
    production: aWireModuleConfig({ id: 3, status: "PRODUCTION" }),
    certificate: { kind: "ready", stored: null },
  };
  vi.stubGlobal("fetch", (path: string, init: object) => Promise.resolve(answer(path, init)));
});
afterEach(() => {
  discardDrafts(["module-config:fields"]);
  vi.unstubAllGlobals();
  for (const spy of Object.values(router)) spy.mockClear();
});

async function show(query: Record<string, string> = {}) {
  const searchParams = Promise.resolve(query);
  const { unmount } = render(
    <>
      {await ModuleConfigPage({ params: Promise.resolve({}), searchParams })}
      <Toaster />
    </>,
  );
  return { user: userEvent.setup(), unmount };
}
const button = (name: string | RegExp) => screen.getByRole("button", { name });
const field = (name: string) => screen.getByRole("textbox", { name });
async function fill(user: ReturnType<typeof userEvent.setup>, name: string, text: string) {
  await user.clear(field(name));
  await user.type(field(name), text);
}
const saves = () => sent.filter(({ path }) => path === "/api/v1/module").map(({ body }) => body);

describe("L5: promoting leads to the review", () => {
  const review = "/changes?items=module_config";

  it("at once when everything is saved", async () => {
    await show();
    expect(screen.getByRole("link", { name: "Publish to production" })).toHaveAttribute("href", review);
  });

  it("with unsaved edits asks which state is meant; the saved one leaves them", async () => {
    const { user } = await show();
    await fill(user, "Days", "31");
    await user.click(button("Publish to production"));
    await user.click(await screen.findByRole("button", { name: "Publish saved version" }));
    expect(router.push).toHaveBeenCalledExactlyOnceWith(review);
    expect(saves()).toEqual([]);
    expect(field("Days")).toHaveValue("31");
  });

  it("L8: a draft that waits goes on from the version that a publication has stored", async () => {
    const { user } = await show();
    await fill(user, "Days", "31");
    staging = { ...staging, id: 6, status: "PRODUCTION" };
    await followPublished([{ family: "module_config", key: "" }]);
    await user.click(button("Save"));
    await screen.findByText("Saved to staging");
    expect(saves()).toEqual([expect.objectContaining({ exchange_after_x_days: 31, base_id: 6 })]);
  });

  it("with unsaved edits saves and promotes in one flow", async () => {
    const { user } = await show();
    await fill(user, "Days", "31");
    await user.click(button("Publish to production"));
    await user.click(await screen.findByRole("button", { name: "Save and publish" }));
    await waitFor(() => expect(router.push).toHaveBeenCalledExactlyOnceWith(review));
    expect(saves()).toEqual([expect.objectContaining({ exchange_after_x_days: 31, base_id: 5 })]);
  });

  it("offers only to save as well, when production has what is saved", async () => {
    page = { ...page, shown: { ...staging, status: "PRODUCTION" } };
    const { user } = await show();
    expect(screen.queryByRole("link", { name: "Publish to production" })).not.toBeInTheDocument();
    await fill(user, "Days", "31");
    await user.click(button("Publish to production"));
    const dialog = await screen.findByRole("alertdialog", { name: "Publish with unsaved changes?" });
    expect(within(dialog).queryByRole("button", { name: "Publish saved version" })).not.toBeInTheDocument();
    await user.click(within(dialog).getByRole("button", { name: "Save and publish" }));
    await waitFor(() => expect(router.push).toHaveBeenCalledExactlyOnceWith(review));
    expect(saves()).toHaveLength(1);
  });

  it("promotes nothing when the edits cannot be saved, and says why in the form", async () => {
    const { user } = await show();
    await fill(user, "Days", "300");
    await user.click(button("Publish to production"));
    await user.click(await screen.findByRole("button", { name: "Save and publish" }));
    expect(await screen.findByRole("alert")).toHaveTextContent(
      "exchange_after_x_days must be an integer from 0 to 255",
    );
    expect(router.push).not.toHaveBeenCalled();
    expect(sent).toEqual([]);
    expect(field("Days")).toHaveValue("300");
  });
});

describe("drafts of the module config", () => {
  it("count, show and name every field by itself", async () => {
    const { user } = await show();
    await fill(user, "Software updates", "https://policy.example.com/new");
    await fill(user, "Emergency, normal", "59");
    const footer = screen.getByRole("region", { name: "Unsaved changes" });
    expect(footer).toHaveTextContent("2 unsaved changes");
    await user.click(within(footer).getByRole("button", { name: "Show" }));
    const dialog = await screen.findByRole("dialog", { name: "2 unsaved changes" });
    // The list of changes is fetched when it is wanted first.
    expect(await within(dialog).findByText("Software updates")).toBeVisible();
    expect(dialog).toHaveTextContent(/Software updates.*Now: https:\/\/policy.example.com\/new/);
    expect(dialog).toHaveTextContent(/Notifications: Emergency.*Now: 59/);
  });

  it("ask after a conflict only about the fields that both have changed", async () => {
    const { user } = await show();
    await fill(user, "Software updates", "https://mine.example.com/update");
    await fill(user, "Emergency, normal", "59");
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
    await user.click(button("Save"));
    const dialog = await screen.findByRole("dialog", { name: "Someone else has saved changes" });
    expect(within(dialog).getAllByRole("group")).toHaveLength(1);
    expect(within(dialog).getByRole("group", { name: "Software updates" })).toBeVisible();
    expect(dialog).toHaveTextContent(/taken over.*Apps on iOS phones.*Notifications: None/);
    expect(dialog).toHaveTextContent(/kept.*Notifications: Emergency/);
    await user.click(within(dialog).getByRole("radio", { name: /Theirs/ }));
    await user.click(within(dialog).getByRole("button", { name: "Save my choice" }));
    await screen.findByText("Saved to staging");
    expect(saves().at(-1)).toMatchObject({
      base_id: 8,
      endpoints: { "0x04": "https://theirs.example.com/update", queryAppsUrl: "https://theirs.example.com/apps" },
      notifications_per_minute_by_priority: { EMERGENCY: 59, NONE: 2 },
    });
  });

  it("can be taken back after the save: the version before is stored as a new one", async () => {
    const { user } = await show();
    await fill(user, "Days", "31");
    await user.click(button("Save"));
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    await screen.findByText("The previous version of the module config is back in staging");
    expect(saves()).toEqual([
      expect.objectContaining({ exchange_after_x_days: 31, base_id: 5 }),
      expect.objectContaining({ exchange_after_x_days: 30, keep_certificate: true, base_id: 6 }),
    ]);
  });

  it("are not taken back over what somebody else has saved since", async () => {
    const { user } = await show();
    await fill(user, "Days", "31");
    await user.click(button("Save"));
    const undo = await screen.findByRole("button", { name: "Undo" });
    staging = { ...staging, id: 9, timeout_after_x_seconds: 99 };
    await user.click(undo);
    await screen.findByText("Nothing was undone: someone else has saved the module config.");
    expect(saves()).toHaveLength(1);
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

  const stored = {
    subject: "CN=policy.example.com",
    issuer: "CN=Authority",
    serialNumber: "01AB",
    validFrom: "2026-01-01T00:00:00.000Z",
    validTo: "2026-01-08T00:00:00.000Z",
  };

  it("are stored without touching unsaved fields, whose save then is no conflict", async () => {
    const { user } = await show();
    await fill(user, "Days", "31");
    await user.type(field("Certificate"), "CERT");
    expect(screen.getByRole("alert")).toHaveTextContent("Enter both the key and the certificate");
    expect(button("Save key and certificate")).toHaveAttribute("aria-disabled", "true");
    await user.type(field("Private key"), "K");
    expect(listDirty()).toContain("volatile:certificate:module-config");
    await user.click(button("Save key and certificate"));
    await screen.findByText("Key and certificate saved to staging");
    expect(saves()).toEqual([
      expect.objectContaining({ certificate: "CERT", private_key: "K", exchange_after_x_days: 30, base_id: 5 }),
    ]);
    expect(listDirty()).not.toContain("volatile:certificate:module-config");
    expect(field("Days")).toHaveValue("31");
    await user.click(button("Save"));
    await screen.findByText("Saved to staging");
    expect(saves().at(-1)).toMatchObject({ exchange_after_x_days: 31, keep_certificate: true, base_id: 6 });
  });

  it("are loaded on purpose only; in production they are for reading", async () => {
    page = { ...page, certificate: { kind: "ready", stored } };
    pair = { certificate: "STORED CERT", private_key: "STORED KEY" };
    const { user } = await show({ environment: "production" });
    expect(screen.queryByRole("textbox", { name: "Certificate" })).not.toBeInTheDocument();
    await user.click(button("Load stored key and certificate"));
    expect(await screen.findByDisplayValue("STORED CERT")).toHaveAttribute("readonly");
    expect(document.body.innerHTML).not.toContain("STORED KEY");
    await user.click(button("Reveal private key"));
    expect(screen.getByDisplayValue("STORED KEY")).toHaveAttribute("readonly");
    expect(screen.queryByRole("button", { name: /Save|Generate|Remove…/ })).not.toBeInTheDocument();
    await user.click(button("Clear"));
    expect(screen.queryByDisplayValue("STORED CERT")).not.toBeInTheDocument();
  });

  it("cannot be made by an authority that does not open", async () => {
    page = { ...page, certificate: { kind: "unusable" } };
    await show();
    expect(screen.getByText(/passphrase does not open/)).toBeVisible();
    expect(screen.queryByRole("button", { name: /Generate/ })).not.toBeInTheDocument();
  });
});

describe("focus", () => {
  const counts = aWireModuleConfig().notifications_per_minute_by_priority;

  it("goes to the pause before when the last one is removed, and to Add when none is left", async () => {
    page = { ...page, shown: { ...staging, seconds_between_retries: [1, 5] } };
    const { user } = await show();
    await user.click(button("Remove pause 2"));
    expect(button("Remove pause 1")).toHaveFocus();
    await user.click(button("Remove pause 1"));
    expect(button("Add pause")).toHaveFocus();
  });

  it("goes along with a pause that is moved", async () => {
    const { user } = await show();
    await user.click(button("Move pause 1 down"));
    expect(button("Move pause 2 down")).toHaveFocus();
  });

  it("goes to the field when it is put back to the value of production", async () => {
    page = { ...page, shown: { ...staging, lock_screen_dismissal_enabled: false, seconds_between_retries: [] } };
    page = { ...page, production: aWireModuleConfig({ notifications_per_minute_by_priority: { ...counts, NONE: 3 } }) };
    const { user } = await show();
    await user.click(button("Reset to the production value, 60"));
    expect(field("Timeout")).toHaveFocus();
    await user.click(button("Reset to the production value, yes"));
    expect(screen.getByRole("switch")).toHaveFocus();
    await user.click(button("Reset to the production value, 3"));
    expect(field("None, normal")).toHaveFocus();
    await user.click(button("Reset to the production value, 1, 5, 25, 125, 625"));
    expect(field("Pause before attempt 2")).toHaveFocus();
  });
});

it("unknown and malformed parameters are removed from the address", async () => {
  for (const query of [{ tab: "x" }, { environment: "nowhere" }]) {
    await expect(show(query)).rejects.toMatchObject({
      digest: expect.stringMatching(/^NEXT_REDIRECT.*;\/moduleconfig;/),
    });
  }
  await expect(show({ environment: "production", tab: "x" })).rejects.toMatchObject({
    digest: expect.stringContaining(";/moduleconfig?environment=production;"),
  });
  await show({ environment: "PRODUCTION" });
});
