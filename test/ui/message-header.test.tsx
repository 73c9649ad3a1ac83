import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { MessageDraft } from "@/app/(console)/consumermessages/message-draft";
import { messageFamily } from "@/app/(console)/consumermessages/message-family";
import type { Draft } from "@/app/_components/form/use-draft";
import type { Save } from "@/app/_components/form/use-save";
import { RecordHeader } from "@/app/_records/record-editor";
import { Toaster } from "@/app/_components/shell/toaster";
import { stubApi, stubBrowser } from "@/test/support/console-stubs";

const router = { push: vi.fn(), replace: vi.fn(), refresh: vi.fn() };
vi.mock("next/navigation", async (original) => ({
  ...(await original<object>()),
  useRouter: () => router,
  usePathname: () => "/consumermessages/manage",
  useSearchParams: () => new URLSearchParams(),
}));

const save = vi.fn(() => Promise.resolve(true));
beforeEach(() => {
  stubBrowser();
  stubApi(() => ({ data: {} }));
  for (const spy of Object.values(router)) spy.mockClear();
  save.mockClear();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

function show({ isDeleted = false, isDirty = false } = {}) {
  const record = {
    id: 41,
    status: "STAGING",
    environment: "staging",
    isDeleted,
    isPromoted: true,
    changedAt: "2026-02-11T16:20:05.000Z",
  } as const;
  // The head reads no more of them.
  const draft = { key: "message:Parking", isDirty } as unknown as Draft<MessageDraft>;
  const saving = { submit: save } as unknown as Save<MessageDraft>;
  render(
    <>
      <RecordHeader
        family={messageFamily}
        name="Parking"
        record={record}
        draft={draft}
        save={saving}
        renderRemoval={() => null}
      />
      <Toaster />
    </>,
  );
}
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));

describe("the head of a message", () => {
  it("L5: promotion leads to its review, that of a deletion as well", () => {
    show({ isDeleted: true });
    expect(screen.getByRole("link", { name: "Publish to production" })).toHaveAttribute(
      "href",
      "/changes?items=message%3AParking",
    );
  });

  it("finding E4: Delete stands in the menu, as on the pages of groups and vehicle data", async () => {
    show();
    expect(screen.queryByRole("button", { name: "Delete…" })).not.toBeInTheDocument();
    await press("Actions for Parking");
    const entries = (await screen.findAllByRole("menuitem")).map(({ textContent }) => textContent);
    expect(entries).toEqual(["View in production", "Delete…"]);
  });

  it("finding E4: with unsaved changes it asks first whether they go along", async () => {
    show({ isDirty: true });
    await press("Publish to production");
    await press("Save and publish");
    expect(save).toHaveBeenCalledOnce();
    expect(router.push.mock.calls).toEqual([["/changes?items=message%3AParking"]]);
  });
});
