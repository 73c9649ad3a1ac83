import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { ImportForm } from "@/app/(console)/exchange/import-form";
import { describeRefusal, describeSyntax } from "@/app/(console)/exchange/policy-file";
import { DownloadButtons } from "@/app/(console)/exchange/download-buttons";
import { RoleProvider } from "@/app/_components/shell/role";
import type { ImportAnswer } from "@/lib/exchange/answer-schema";
import { type SentRequest, stubApi, stubBrowser, type StubbedAnswer } from "@/test/support/console-stubs";

vi.mock("next/navigation", async (original) => ({
  ...(await original<object>()),
  useRouter: () => ({ push: vi.fn(), replace: vi.fn(), refresh: vi.fn() }),
  usePathname: () => "/exchange",
}));

const document_ = { format: "open-policy/1", groups: [{ name: "Base-4", rpcs: [] }] };
/** A simulated browser cannot read files. */
const aFile = (text: string, name = "policy.json") =>
  Object.assign(new File([text], name, { type: "application/json" }), { text: () => Promise.resolve(text) });
const planned = (items: ImportAnswer["items"]) => items.map(({ family, key, digest }) => ({ family, key, digest }));
const plan: ImportAnswer = {
  items: [
    {
      family: "group",
      key: "Base-4",
      change: "change",
      digest: "d",
      fields: [{ path: "description", before: "a", after: "b" }],
    },
    { family: "group", key: "New-1", change: "add", digest: "e", fields: [] },
    { family: "app", key: "uuid-1", title: "Pigeonpost", change: "change", digest: "d", fields: [] },
  ],
  checks: [],
  left: ["app uuid-2 is not known here: it comes from the app directory"],
};

let sent: SentRequest[];
let answer: (request: SentRequest) => StubbedAnswer | Promise<StubbedAnswer>;
const field = () => screen.getByLabelText(/^Choose a file/);
const button = (name: string) => screen.getByRole("button", { name });

beforeEach(() => {
  stubBrowser();
  answer = () => ({ data: plan });
  sent = stubApi((request) => answer(request));
});

describe("X13: import in the browser", () => {
  it("shows by name what would change and what is left out, and imports on one more click", async () => {
    const user = userEvent.setup();
    render(<ImportForm />);
    await user.upload(field(), aFile(JSON.stringify(document_)));
    await screen.findByText("policy.json: 1 to add, 2 to change");
    expect(sent.map(({ path, body }) => [path, body])).toEqual([
      ["/api/v1/exchange", { document: document_, prune: false, dry_run: true }],
    ]);
    const groups = within(screen.getByRole("region", { name: "Functional groups (2)" }));
    expect(groups.getAllByRole("listitem").map((item) => item.textContent)).toEqual(["Change Base-4", "Add New-1"]);
    expect(screen.getByText("Pigeonpost")).toBeVisible();
    expect(screen.getByText(/^App uuid-2 is not known here/)).toBeVisible();
    expect(screen.getByText(/of apps take effect at once/)).toBeVisible();
    await user.click(groups.getByText("Base-4"));
    expect(await groups.findByText("Description")).toBeVisible();

    await user.click(button("Import 3 items into staging"));
    await screen.findByText("Imported 3 items into staging");
    expect(screen.getByText(/of apps are in effect already/)).toBeVisible();
    expect(sent[1]?.body).toEqual({ document: document_, prune: false, planned: planned(plan.items) });
    expect(screen.getByRole("link", { name: "Review changes" })).toHaveAttribute("href", "/changes");
    expect(screen.queryByRole("button", { name: /^Import/ })).not.toBeInTheDocument();
  });

  it("X2b: imports nothing when staging has changed meanwhile, says so and shows what would change now", async () => {
    const user = userEvent.setup();
    render(<ImportForm />);
    await user.upload(field(), aFile(JSON.stringify(document_)));
    await screen.findByText(/^policy.json: /);
    const changed = { ...plan, items: plan.items.slice(0, 1) };
    answer = ({ body }) =>
      (body as { planned?: unknown }).planned === undefined
        ? { data: changed }
        : { status: 409, message: "Nothing was imported", data: { moved: [{ family: "group", key: "New-1" }] } };
    await user.click(button("Import 3 items into staging"));
    await screen.findByText("policy.json: 1 to change");
    expect(screen.getByText("Nothing was imported: staging has changed since the preview")).toBeVisible();
    expect(screen.queryByText("New-1")).not.toBeInTheDocument();
    answer = () => ({ data: changed });
    await user.click(button("Import 1 item into staging"));
    await screen.findByText("Imported 1 item into staging");
    expect(sent.at(-1)?.body).toMatchObject({ planned: planned(changed.items) });
    expect(screen.queryByText(/staging has changed/)).not.toBeInTheDocument();
  });

  it("takes no other file while it imports one: its plan would be from before", async () => {
    const user = userEvent.setup();
    render(<ImportForm />);
    await user.upload(field(), aFile(JSON.stringify(document_)));
    await screen.findByText(/^policy.json: /);
    let finish: (() => void) | undefined;
    const held = new Promise<StubbedAnswer>((resolve) => (finish = () => resolve({ data: plan })));
    answer = () => held;
    await user.click(button("Import 3 items into staging"));
    await vi.waitFor(() => expect(field()).toBeDisabled());
    const prune = screen.getByRole("checkbox", { name: "Delete what the file does not mention" });
    expect(prune).toHaveAttribute("aria-readonly", "true");
    finish?.();
    await screen.findByText("Imported 3 items into staging");
    await vi.waitFor(() => expect(field()).toBeEnabled());
  });

  it("looks again when what the file does not mention is to be deleted", async () => {
    const user = userEvent.setup();
    render(<ImportForm />);
    await user.upload(field(), aFile(JSON.stringify(document_)));
    await screen.findByText(/^policy.json: /);
    await user.click(screen.getByRole("checkbox", { name: "Delete what the file does not mention" }));
    await vi.waitFor(() => expect(sent[1]?.body).toMatchObject({ prune: true, dry_run: true }));
  });

  it("offers nothing where nothing differs", async () => {
    answer = () => ({ data: { items: [], left: [] } });
    render(<ImportForm />);
    await userEvent.upload(field(), aFile(JSON.stringify(document_)));
    await screen.findByText("policy.json: nothing differs from staging");
    expect(screen.queryByRole("button", { name: /^Import/ })).not.toBeInTheDocument();
  });

  it("names file and place of what is no JSON, and asks the server nothing", async () => {
    render(<ImportForm />);
    await userEvent.upload(field(), aFile('{\n  "format": "open-policy/1",\n  oops\n}', "broken.json"));
    expect(await screen.findByRole("alert")).toHaveTextContent(/^broken\.json is not JSON: line 3, column 3: /);
    expect(sent).toEqual([]);
  });

  it("names file and item of what the server refuses", async () => {
    answer = () => ({ status: 400, message: "document.groups.0.rpcs must be an array" });
    render(<ImportForm />);
    await userEvent.upload(field(), aFile(JSON.stringify(document_)));
    expect(await screen.findByRole("alert")).toHaveTextContent("policy.json: groups › Base-4.rpcs must be an array");
  });

  it("reads no file of more than 64 MB", async () => {
    render(<ImportForm />);
    const file = aFile("{}");
    Object.defineProperty(file, "size", { value: 65 * 1_048_576 });
    await userEvent.upload(field(), file);
    expect(await screen.findByRole("alert")).toHaveTextContent("policy.json is too large");
    expect(sent).toEqual([]);
  });

  it("P8: is off for who may not edit, with the reason", () => {
    render(
      <RoleProvider role="viewer">
        <ImportForm />
      </RoleProvider>,
    );
    expect(field()).toBeDisabled();
    expect(screen.getByText(/^This needs the role editor/)).toBeVisible();
  });
});

it("X13: tells where the text of a file ends too early", () => {
  expect(describeSyntax(new SyntaxError("Unexpected end of JSON input"), "{\n{")).toBe(
    "line 2, column 2: Unexpected end of JSON input",
  );
  const firefox = new SyntaxError("JSON.parse: unexpected character at line 1 column 2 of the JSON data");
  expect(describeSyntax(firefox, "{x")).toBe(firefox.message);
});

it.each([
  ["Group names must differ (document.groups[0])", "p.json: Group names must differ (groups › Base-4)"],
  ["document.messages.7 is required", "p.json: messages › number 8 is required"],
  ["document has the unknown member policy_table", "p.json: the file has the unknown member policy_table"],
  ["app a is in the document twice", "p.json: app a is in the file twice"],
  ["document.format has an unknown value", "p.json: format has an unknown value"],
])("X13: %s", (message, told) => {
  expect(describeRefusal(message, { name: "p.json", document: document_ })).toBe(told);
});

it("X13: downloads what an environment has, as the command line writes it", async () => {
  let saved: readonly unknown[] = [];
  vi.stubGlobal("Blob", function FakeBlob(parts: readonly unknown[]) {
    saved = parts;
  });
  vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: () => "blob:x", revokeObjectURL: () => undefined }));
  let name = "";
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    name = this.download;
  });
  answer = ({ path }) => ({ data: { document: { ...document_, path } } });
  render(<DownloadButtons />);
  await userEvent.click(button("Download production"));
  await vi.waitFor(() => expect(name).toMatch(/^policy-production-\d{4}-\d\d-\d\d\.json$/));
  const path = "/api/v1/exchange?environment=production";
  expect(saved).toEqual([`${JSON.stringify({ ...document_, path }, null, 2)}\n`]);
});
