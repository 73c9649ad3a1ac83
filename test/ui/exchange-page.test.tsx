import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { ImportForm } from "@/app/(console)/exchange/import-form";
import { describeRefusal, describeSyntax } from "@/lib/exchange/policy-file";
import { DownloadButtons } from "@/app/(console)/exchange/download-buttons";
import { RoleProvider } from "@/app/_components/shell/role";
import type { ImportAnswer } from "@/lib/exchange/answer-schema";
import { api, bodies, button, checkbox, expectLink, holdAnswers, press } from "@/test/support/page";

const document_ = { format: "open-policy/1", groups: [{ name: "Base-4", rpcs: [] }] };
/** A simulated browser cannot read files. */
const aFile = (text: string, name = "policy.json", encoding: BufferEncoding = "utf8") =>
  Object.assign(new File([text], name, { type: "application/json" }), {
    arrayBuffer: () => Promise.resolve(Buffer.from(text, encoding)),
  });
const planned = (items: ImportAnswer["items"]) => items.map(({ family, key, digest }) => ({ family, key, digest }));
const plan: ImportAnswer = {
  items: [
    {
      ...{ family: "group", key: "Base-4", change: "change", digest: "d" },
      fields: [{ path: "description", before: "a", after: "b" }],
    },
    { family: "group", key: "New-1", change: "add", digest: "e", fields: [] },
    { family: "app", key: "uuid-1", title: "Pigeonpost", change: "change", digest: "d", fields: [] },
  ],
  checks: [],
  left: ["app uuid-2 is not known here: it comes from the app directory"],
};

const file = () => screen.getByLabelText(/^Choose a file/);
const upload = (one = aFile(JSON.stringify(document_))) => userEvent.upload(file(), one);
const prune = () => checkbox("Delete what the file does not mention");
async function preview(words: string | RegExp = /^policy.json: /) {
  render(<ImportForm />);
  await upload();
  await screen.findByText(words);
}

beforeEach(() => {
  api.answer = () => ({ data: plan });
});

describe("X13: import in the browser", () => {
  it("shows by name what would change and what is left out, and imports on one more click", async () => {
    await preview("policy.json: 1 to add, 2 to change");
    expect(api.sent.map(({ path, body }) => [path, body])).toEqual([
      ["/api/v1/exchange", { document: document_, prune: false, dry_run: true }],
    ]);
    const groups = within(screen.getByRole("region", { name: "Functional groups (2)" }));
    expect(groups.getAllByRole("listitem").map((item) => item.textContent)).toEqual(["Change Base-4", "Add New-1"]);
    expect(screen.getByText("Pigeonpost")).toBeVisible();
    expect(screen.getByText(/^App uuid-2 is not known here/)).toBeVisible();
    expect(screen.getByText(/of apps take effect at once/)).toBeVisible();
    await userEvent.click(groups.getByText("Base-4"));
    expect(await groups.findByText("Description")).toBeVisible();

    await press("Import 3 items into staging");
    await screen.findByText("Imported 3 items into staging");
    expect(screen.getByText(/of apps are in effect already/)).toBeVisible();
    expect(bodies()[1]).toEqual({ document: document_, prune: false, planned: planned(plan.items) });
    expectLink("Review changes", "/changes");
    expect(screen.queryByRole("button", { name: /^Import/ })).not.toBeInTheDocument();
  });

  it("X2b: imports nothing when staging has changed meanwhile, says so and shows what would change now", async () => {
    await preview();
    const changed = { ...plan, items: plan.items.slice(0, 1) };
    api.answer = ({ body }) =>
      (body as { planned?: unknown }).planned === undefined
        ? { data: changed }
        : { status: 409, message: "Nothing was imported", data: { moved: [{ family: "group", key: "New-1" }] } };
    await press("Import 3 items into staging");
    await screen.findByText("policy.json: 1 to change");
    expect(screen.getByText("Nothing was imported: staging has changed since the preview")).toBeVisible();
    expect(screen.queryByText("New-1")).not.toBeInTheDocument();
    api.answer = () => ({ data: changed });
    await press("Import 1 item into staging");
    await screen.findByText("Imported 1 item into staging");
    expect(bodies().at(-1)).toMatchObject({ planned: planned(changed.items) });
    expect(screen.queryByText(/staging has changed/)).not.toBeInTheDocument();
  });

  it("takes no other file while it imports one: its plan would be from before", async () => {
    await preview();
    const letGo = holdAnswers();
    await press("Import 3 items into staging");
    await vi.waitFor(() => expect(file()).toBeDisabled());
    expect(prune()).toHaveAttribute("aria-readonly", "true");
    letGo();
    await screen.findByText("Imported 3 items into staging");
    await vi.waitFor(() => expect(file()).toBeEnabled());
  });

  it("looks again when what the file does not mention is to be deleted", async () => {
    await preview();
    await userEvent.click(prune());
    await vi.waitFor(() => expect(bodies()[1]).toMatchObject({ prune: true, dry_run: true }));
  });

  it("offers nothing where nothing differs", async () => {
    api.answer = () => ({ data: { items: [], left: [] } });
    await preview("policy.json: nothing differs from staging");
    expect(screen.queryByRole("button", { name: /^Import/ })).not.toBeInTheDocument();
  });

  it("names file and place of what is no JSON, and asks the server nothing", async () => {
    render(<ImportForm />);
    await upload(aFile('{\n  "format": "open-policy/1",\n  oops\n}', "broken.json"));
    expect(await screen.findByRole("alert")).toHaveTextContent(/^broken\.json is not JSON: line 3, column 3: /);
    await upload(aFile('{\n"a": "\u00fc"}', "latin1.json", "latin1"));
    expect(await screen.findByText("latin1.json is not UTF-8 in line 2: save it as UTF-8")).toBeVisible();
    expect(api.sent).toEqual([]);
  });

  it("names file and item of what the server refuses", async () => {
    api.answer = () => ({ status: 400, message: "document.groups.0.rpcs must be an array" });
    render(<ImportForm />);
    await upload();
    expect(await screen.findByRole("alert")).toHaveTextContent("policy.json: groups › Base-4.rpcs must be an array");
  });

  it("reads no file of more than 64 MB", async () => {
    render(<ImportForm />);
    await upload(Object.defineProperty(aFile("{}"), "size", { value: 65 * 1_048_576 }));
    expect(await screen.findByRole("alert")).toHaveTextContent("policy.json is too large");
    expect(api.sent).toEqual([]);
  });

  it("P8: is off for who may not edit, with the reason", () => {
    render(
      <RoleProvider role="viewer">
        <ImportForm />
      </RoleProvider>,
    );
    expect(file()).toBeDisabled();
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
])("X13: %s", (message, told) => expect(describeRefusal(message, { name: "p.json", document: document_ })).toBe(told));

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
  api.answer = ({ path }) => ({ data: { document: { ...document_, path } } });
  render(<DownloadButtons />);
  await userEvent.click(button("Download production"));
  await vi.waitFor(() => expect(name).toMatch(/^policy-production-\d{4}-\d\d-\d\d\.json$/));
  const path = "/api/v1/exchange?environment=production";
  expect(saved).toEqual([`${JSON.stringify({ ...document_, path }, null, 2)}\n`]);
});
