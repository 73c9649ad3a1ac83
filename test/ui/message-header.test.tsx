import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { MessageDraft, MessageJson } from "@/app/(console)/consumermessages/message-draft";
import { MessageHeader } from "@/app/(console)/consumermessages/manage/message-header";
import type { Draft } from "@/app/_components/form/use-draft";
import { Toaster } from "@/app/_components/shell/toaster";
import { type SentRequest, stubApi, stubBrowser } from "@/test/support/console-stubs";

const router = { push: vi.fn(), replace: vi.fn(), refresh: vi.fn() };
vi.mock("next/navigation", async (original) => ({
  ...(await original<object>()),
  useRouter: () => router,
  usePathname: () => "/consumermessages/manage",
  useSearchParams: () => new URLSearchParams(),
}));

let sent: SentRequest[] = [];
const save = vi.fn(() => Promise.resolve(true));
beforeEach(() => {
  stubBrowser();
  sent = stubApi(() => ({ data: {} }));
  for (const spy of Object.values(router)) spy.mockClear();
  save.mockClear();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

function show(partial: Partial<MessageJson> = {}, { isDirty = false } = {}) {
  const message: MessageJson = {
    id: 41,
    message_category: "Parking",
    status: "STAGING",
    is_deleted: false,
    created_ts: "2026-02-11T16:20:05.000Z",
    updated_ts: "2026-02-11T16:20:05.000Z",
    languages: [],
    ...partial,
  };
  // The head reads no more of it.
  const draft = { key: "message:Parking", isDirty } as unknown as Draft<MessageDraft>;
  const facts = { message, environment: "staging", isInProduction: true, uses: [], languages: [] } as const;
  render(
    <>
      <MessageHeader {...facts} draft={draft} save={save} />
      <Toaster />
    </>,
  );
}
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));

describe("the head of a message", () => {
  it("finding E3: after promoting a deletion the list says what left production", async () => {
    sessionStorage.setItem("list:/consumermessages", JSON.stringify({ path: "/consumermessages?q=park", items: [] }));
    show({ is_deleted: true });
    await press("Promote to production");
    const dialog = await screen.findByRole("alertdialog");
    await userEvent.type(within(dialog).getByRole("textbox"), "production");
    await press("Promote 1 message");
    expect(await screen.findByText("Removed Parking from production")).toBeInTheDocument();
    expect(router.replace.mock.calls).toEqual([["/consumermessages?q=park"]]);
    expect(sent).toMatchObject([{ path: "/api/v1/messages/promote", body: { id: [41] } }]);
    sessionStorage.clear();
  });

  it("any other promotion stays on the page", async () => {
    show();
    await press("Promote to production");
    await press("Promote 1 message");
    expect(await screen.findByText("Promoted 1 message to production")).toBeInTheDocument();
    expect(router.replace).not.toHaveBeenCalled();
  });

  it("finding E4: Delete stands in the menu, as on the pages of groups and vehicle data", async () => {
    show();
    expect(screen.queryByRole("button", { name: "Delete…" })).not.toBeInTheDocument();
    await press("Actions for Parking");
    const entries = (await screen.findAllByRole("menuitem")).map(({ textContent }) => textContent);
    expect(entries).toEqual(["View in production", "Delete…"]);
  });

  it("finding E4: with unsaved changes it asks first whether they go along", async () => {
    show({}, { isDirty: true });
    await press("Promote to production");
    await press("Save and promote");
    expect(save).toHaveBeenCalledOnce();
    expect(await screen.findByRole("alertdialog", { name: "Promote 1 message?" })).toBeInTheDocument();
  });
});
