import { cleanup, configure, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ApprovalsSection } from "@/app/(console)/changes/approvals-section";
import type { ApprovalJson } from "@/lib/content/releases/answer-schema";
import { type SentRequest, stubApi, stubBrowser } from "@/test/support/console-stubs";

const router = { push: vi.fn(), replace: vi.fn(), refresh: vi.fn() };
vi.mock("next/navigation", async (original) => ({ ...(await original<object>()), useRouter: () => router }));

configure({ asyncUtilTimeout: 30_000 });
let sent: SentRequest[] = [];
beforeEach(() => {
  stubBrowser();
  sent = stubApi(() => ({ data: { release: { number: 42 } } }));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const anApproval = (partial: Partial<ApprovalJson> = {}): ApprovalJson => ({
  ...{ id: 3, path: "/changes?approval=3", kind: "publish", name: "Winter", note: null, force: false, reason: null },
  items: [{ family: "group", key: "Seats", id: 12 }],
  author: { actor: "publisher", display_name: "Paula", display_name_verified: true },
  ...{ at: null, returned_to: null, asked_at: "2026-02-11T16:20:05.000Z", void_because: null, refusal: null },
  ...partial,
});
const show = (...approvals: ApprovalJson[]) => render(<ApprovalsSection approvals={approvals} current={3} />);

it("P9: tells who has asked for what, leads to it, and approves it", async () => {
  show(anApproval());
  const item = screen.getByRole("listitem");
  expect(item.getAttribute("aria-current")).toBe("true");
  expect(item.textContent).toContain("Publish 1 item");
  expect(item.textContent).toContain("Paula");
  const link = within(item).getByRole("link", { name: "Winter" });
  expect(link.getAttribute("href")).toBe(`/changes?items=${encodeURIComponent("group:Seats")}`);
  await userEvent.click(within(item).getByRole("button", { name: "Approve…" }));
  await userEvent.click(await screen.findByRole("button", { name: "Approve" }));
  await waitFor(() => expect(sent).toMatchObject([{ method: "POST", path: "/api/v1/releases/approvals/3" }]));
});

it.each([
  { refusal: "You cannot approve your own request" },
  { void_because: "The reviewed items have changed: request approval again" },
])("P8, P9: what must not be approved is off, with the reason: %j", async (members) => {
  show(anApproval(members));
  const button = screen.getByRole("button", { name: "Approve…" });
  expect([button.getAttribute("aria-disabled"), button.title]).toEqual(["true", Object.values(members)[0]]);
  await userEvent.click(button);
  expect(screen.queryByRole("alertdialog")).toBeNull();
});

it("P9: shows nothing where nothing waits", () => {
  show();
  expect(screen.queryByRole("heading")).toBeNull();
});
