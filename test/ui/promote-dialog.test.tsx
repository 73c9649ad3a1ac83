import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PromoteDialog } from "@/app/_records/promote-dialog";
import { Toaster } from "@/app/_components/shell/toaster";

const router = { refresh: vi.fn(), replace: vi.fn() };
vi.mock("next/navigation", async (original) => ({ ...(await original<object>()), useRouter: () => router }));

const bodies: unknown[] = [];
let findings: unknown = null;
const onClose = vi.fn();
beforeEach(() => {
  bodies.length = 0;
  onClose.mockClear();
  vi.stubGlobal("fetch", (path: string, init: { body?: string } = {}) => {
    if (!path.endsWith("/promote")) return Promise.resolve(Response.json({ meta: {}, data: {} }));
    const body = JSON.parse(init.body ?? "{}");
    bodies.push(body);
    const code = findings !== null && body.force !== true ? 409 : 200;
    const meta = { request_id: "r-1", code, message: code === 409 ? "Head units would refuse it" : null };
    return Promise.resolve(Response.json({ meta, data: code === 409 ? { findings } : {} }, { status: code }));
  });
});
afterEach(() => {
  findings = null;
  vi.unstubAllGlobals();
});

const anItem = (partial: object = {}) => ({ id: 5, name: "Location", isDeleted: false, isNew: false, ...partial });
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));
function show(items = [anItem()], nextHref?: string) {
  render(
    <>
      <PromoteDialog
        path="/api/v1/messages/promote"
        items={items}
        word="message"
        onClose={onClose}
        nextHref={nextHref}
      />
      <Toaster />
    </>,
  );
}

describe("promotion", () => {
  it("says what happens to which item, and then does it", async () => {
    show([anItem(), anItem({ id: 6, name: "Parking", isNew: true })]);
    expect(await screen.findByRole("alertdialog", { name: "Promote 2 messages?" })).toHaveTextContent(
      /New in production \(1\)Parking.*Changed in production \(1\)Location/,
    );
    await press("Promote 2 messages");
    expect(await screen.findByText("Promoted 2 messages to production")).toBeInTheDocument();
    expect(bodies).toEqual([{ id: [5, 6] }]);
    expect(onClose).toHaveBeenCalledOnce();
  });

  it("finding E3: a promoted deletion names what left production, and leads to the list before the page is loaded again", async () => {
    const calls: string[] = [];
    router.replace.mockImplementation((href: string) => calls.push(href));
    router.refresh.mockImplementation(() => calls.push("refresh"));
    show([anItem({ name: "Parking", isDeleted: true })], "/consumermessages?q=par");
    await userEvent.type(await screen.findByRole("textbox"), "production");
    await press("Promote 1 message");
    expect(await screen.findByText("Removed Parking from production")).toBeInTheDocument();
    expect(calls).toEqual(["/consumermessages?q=par", "refresh"]);
  });

  it("finding E3: tells apart what came, what left and what was never there", async () => {
    const gone = ["A", "B", "C", "D"].map((name, id) => anItem({ id, name, isDeleted: true }));
    show([anItem(), ...gone, anItem({ name: "Draft", isDeleted: true, isNew: true })]);
    await userEvent.type(await screen.findByRole("textbox"), "production");
    await press("Promote 6 messages");
    expect(
      await screen.findByText(
        "Promoted 1 message to production; removed A, B, C and 1 more from production; deleted Draft, never in production, for good",
      ),
    ).toBeInTheDocument();
  });

  it("takes the typed word for more than ten", async () => {
    show(Array.from({ length: 11 }, (_, id) => anItem({ id, name: `M${id}` })));
    await press("Promote 11 messages");
    expect(bodies).toEqual([]);
    expect(screen.getByRole("alertdialog")).toHaveTextContent("and 3 more");
    await userEvent.type(screen.getByRole("textbox"), "production");
    await press("Promote 11 messages");
    await waitFor(() => expect(bodies).toHaveLength(1));
  });

  it("tells what head units would refuse, each once, and forces only after a second question", async () => {
    const finding = { build: "a", path: "policy_table.consumer_friendly_messages", rule: "H1", message: "Too long" };
    findings = [finding, { ...finding, build: "b" }];
    show();
    await press("Promote 1 message");
    const title = "Head units would refuse the policy table";
    expect(await screen.findByRole("alertdialog", { name: title })).toHaveTextContent("Nothing has been promoted");
    expect(screen.getAllByText("Too long")).toHaveLength(1);
    expect(onClose).not.toHaveBeenCalled();
    await press("Promote anyway");
    expect(bodies).toEqual([{ id: [5] }]);
    await userEvent.type(screen.getByRole("textbox"), "production");
    await press("Promote anyway");
    await waitFor(() => expect(bodies).toEqual([{ id: [5] }, { id: [5], force: true }]));
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  });
});
