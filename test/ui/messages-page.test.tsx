import { cleanup, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import ConsumerMessagesPage from "@/app/(console)/consumermessages/(list)/page";
import MessagePage from "@/app/(console)/consumermessages/manage/page";
import type { MessageDraft } from "@/app/(console)/consumermessages/message-draft";
import { messageFamily } from "@/app/(console)/consumermessages/message-draft";
import type { Draft } from "@/app/_components/form/use-draft";
import type { Save } from "@/app/_components/form/use-save";
import { RecordHeader } from "@/app/_records/record-editor";
import type { MessageOverview } from "@/lib/records/messages/console-queries";
import type { MessageRow } from "@/lib/records/messages/overview";
import {
  api,
  bodies,
  cells,
  expectLink,
  expectRedirect,
  link,
  pick,
  press,
  pressNext,
  showPage,
  texts,
} from "@/test/support/page";

const [load, findPage] = vi.hoisted(() => [vi.fn(), vi.fn()]);
vi.mock("@/lib/records/messages/console-queries", () => ({ loadMessageOverview: load, findMessageOfPage: findPage }));
vi.mock("@/lib/records/messages/queries", () => ({ listLanguages: () => Promise.resolve(["de-de", "en-us"]) }));

const aRow = (partial: Partial<MessageRow> = {}): MessageRow => ({
  ...{ id: 30, category: "Location", status: "PRODUCTION", isDeleted: false, isNew: false },
  ...{ changedAt: "2026-02-11T16:20:05.000Z", preview: "An app can read the position.", found: null },
  ...{ languageCount: 18, partialCount: 2, uses: [] },
  ...partial,
});
const languages = [
  { id: "de-de", name: "German (Germany)" },
  { id: "en-us", name: "English (United States)" },
];
const setOverview = (partial: Partial<MessageOverview> = {}) =>
  void load.mockResolvedValue({
    ...{ rows: [aRow()], total: 1, after: 0, shown: 1, unfiltered: 1, waiting: 0, matching: [], languages },
    counts: { all: 1, modified: 0, new: 0, edited: 0, deleted: 0, production: 1 },
    sizes: { messageCount: 0, plain: 2, gzip: 9, languages: [] },
    ...partial,
  });
beforeEach(() => setOverview());

const show = (query: Record<string, string> = {}) => showPage(ConsumerMessagesPage, "/consumermessages", query);
const expectAsked = (query: object) => expect(load).toHaveBeenLastCalledWith(expect.objectContaining(query));
const row = (name: string) => screen.getByRole("link", { name }).closest("tr")!;

describe("the list of messages", () => {
  it("shows text, completeness, groups and state of a message, and leads to it", async () => {
    const use = { category: "Location", name: "Location-1", stagingId: 12, productionId: null, isWaiting: true };
    setOverview({ rows: [aRow({ uses: [use], status: "STAGING", isNew: true })] });
    await show();
    expect(row("Location")).toHaveTextContent("An app can read the position.");
    expect(row("Location")).toHaveTextContent("18/2 languages");
    expect(row("Location")).toHaveTextContent("2 partial");
    expect(row("Location")).toHaveTextContent("Location-1 · staging only");
    expect(row("Location")).toHaveTextContent("New");
    expectLink("Location", "/consumermessages/manage?id=30&environment=staging");
    expectLink("Location-1", "/functionalgroups/manage?id=12&environment=staging");
  });

  it("asks for what the address says, in words above the list, and falls back where it means nothing", async () => {
    await show({ environment: "production", q: "road", missing: "de-de" });
    expectAsked({ environment: "production", q: "road", missing: "de-de", sort: "name" });
    const filters = within(screen.getByRole("list", { name: "Filters" }));
    expectLink(
      "Remove filter Missing in: German (Germany)",
      "/consumermessages?environment=production&q=road",
      filters,
    );
  });

  it("an unknown language or parameter falls back and leaves the address", async () => {
    const address = "/consumermessages?missing=de-de";
    await expectRedirect(show({ lang: "xx-yy", missing: "de-de", theme: "dark" }), address);
    await expectRedirect(show({ missing: "xx-yy" }), "/consumermessages");
  });

  it("says where the search found a text, and which language is missing", async () => {
    setOverview({ rows: [aRow({ preview: null, found: { languageId: "de-de", text: "Gesuchtes Wort" } })] });
    await show({ q: "gesuchtes", lang: "de-de" });
    expectAsked({ q: "gesuchtes", lang: "de-de" });
    expect(row("Location")).toHaveTextContent("No German (Germany)");
    expect(row("Location")).toHaveTextContent("Found in German (Germany): Gesuchtes Wort");
  });

  it("the groups that the first two hide can be opened", async () => {
    const use = { category: "Location", stagingId: 1, productionId: 1, isWaiting: false };
    const uses = ["A", "B", "C", "D"].map((name) => ({ ...use, name }));
    setOverview({ rows: [aRow({ uses })] });
    await show();
    const link = screen.getByRole("link", { name: "C", hidden: true });
    expect(link.closest("details")).not.toHaveAttribute("open");
    await userEvent.click(screen.getByText("and 2 more"));
    expect(link.closest("details")).toHaveAttribute("open");
  });

  it("a deletion can be taken back, from whatever is the newest version then", async () => {
    const texts = { tts: "Where", line1: null, line2: null, text_body: null, label: null };
    const languages = [{ language_id: "en-us", selected: true, ...texts }];
    const stored = (id: number, is_deleted: boolean) => ({ id, message_category: "Location", is_deleted, languages });
    let newest = stored(30, false);
    api.answer = ({ method, body }) => {
      if (method === "POST") newest = stored(newest.id + 1, (body as any).messages[0].is_deleted);
      return { data: { record: { id: newest.id, key: "Location", body: newest } } };
    };
    await show();
    await press("Actions for Location");
    await pick("Delete…");
    await pressNext("Delete the message");
    await pressNext("Undo");
    await screen.findByText("Restored Location in staging");
    expect(bodies().map(({ messages }) => messages[0])).toEqual([
      expect.objectContaining({ is_deleted: true, base_id: 30 }),
      expect.objectContaining({ is_deleted: false, base_id: 31 }),
    ]);
  });

  it("L5: offers changes in staging only, and leads to the review where something waits", async () => {
    await show();
    expect(link("New message")).toBeVisible();
    expect(screen.queryByRole("link", { name: "Publish to production" })).not.toBeInTheDocument();
    cleanup();
    setOverview({ waiting: 1, matching: [31] });
    await show();
    expectLink("Publish to production", "/changes?items=message");
    cleanup();
    await show({ environment: "production" });
    expect(screen.queryByRole("link", { name: "New message" })).not.toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Update language list" })).not.toBeInTheDocument();
    expect(screen.queryByRole("checkbox")).not.toBeInTheDocument();
  });

  it("says how many languages an update has added", async () => {
    api.answer = ({ path }) =>
      path.includes("template") ? { data: { messages: [{ languages: [1, 2, 3, 4] }] } } : { data: {} };
    await show();
    await press("Update language list");
    expect(await screen.findByText("Language list updated: 2 added, 4 in all")).toBeInTheDocument();
    expect(api.sent).toMatchObject([{ path: "/api/v1/messages/update" }]);
  });

  it("tells an empty list from one that the filters have emptied, and offers to clear them", async () => {
    setOverview({ rows: [], total: 0, unfiltered: 0 });
    await show();
    expect(screen.getByText("No messages yet")).toBeVisible();
    cleanup();
    setOverview({ rows: [], total: 0 });
    await show({ q: "nothing" });
    expect(screen.getByText("No message matches the filters")).toBeVisible();
    expect(screen.getAllByRole("link", { name: "Clear filters" })[0]).toHaveAttribute("href", "/consumermessages");
  });

  it("finding E4: states are tabs with counts that keep the filters, as in the other lists", async () => {
    setOverview({ counts: { all: 1_852, modified: 3, new: 2, edited: 0, deleted: 1, production: 1_849 } });
    await show({ state: "modified", q: "road" });
    const tabs = within(screen.getByRole("navigation", { name: "Views of the messages" }));
    expect(tabs.getAllByRole("link").map(({ textContent }) => textContent)).toEqual([
      ...["All1,852", "Not in production3", "New2", "Modified0", "Deletion pending1", "In production1,849"],
    ]);
    expect(tabs.getByRole("link", { current: "page" })).toHaveTextContent("Not in production");
    expectLink(/^New/, "/consumermessages?state=new&q=road", tabs);
    expect(screen.queryByRole("button", { name: /^State/ })).not.toBeInTheDocument();
  });
});

describe("finding A7: what each language adds to every vehicle's table", () => {
  const section = () => screen.getByRole("region", { name: "Size in every vehicle’s table" });

  it("is said for each language, plain and compressed, and for all together", async () => {
    setOverview({
      sizes: {
        messageCount: 19,
        plain: 86_383,
        gzip: 21_678,
        languages: [
          { languageId: "de-de", messageCount: 19, plain: 3_970, gzip: 1_343 },
          { languageId: "en-us", messageCount: 19, plain: 3_805, gzip: 260 },
          { languageId: "tl-ph", messageCount: 1, plain: 71, gzip: 40 },
        ],
      },
    });
    await show({ q: "road", missing: "de-de" });
    expect(section()).toHaveTextContent("All 19 messages in 3 languages: 86,383 bytes, 21,678 compressed.");
    await userEvent.click(within(section()).getByText("Size of each language"));
    expect(cells(within(section()).getByRole("table"))).toEqual([
      ["Language", "Messages", "Bytes", "Compressed"],
      ["German (Germany) de-de", "19", "3,970", "1,343"],
      ["English (United States) en-us", "19", "3,805", "260"],
      ["tl-ph tl-ph", "1", "71", "40"],
    ]);
  });

  it("is left out while no table holds a message", async () => {
    await show();
    expect(screen.queryByText("Size in every vehicle’s table")).not.toBeInTheDocument();
  });
});

describe("7 languages of prompts: the page of a message tells what head units show without a text", () => {
  const empty = { line1: "", line2: "", tts: "", text_body: "", label: "" };
  const language = (language_id: string, label: string | null) => ({
    ...{ id: 0, language_id, selected: label !== null, message_category_id: 0, ...empty, label: label ?? "" },
  });
  const showMessage = async (uses: readonly object[], lang: string, english = "Where") => {
    const languages = [language("de-de", null), language("en-us", english), language("fr-fr", "")];
    const message = { id: 41, message_category: "Location", status: "STAGING", is_deleted: false, languages };
    const usedLanguages = ["de-de", "en-us", "fr-fr"];
    findPage.mockResolvedValue({ environment: "staging", message, isInProduction: true, uses, usedLanguages });
    await showPage(MessagePage, "/consumermessages/manage", { id: "41", lang });
  };
  const use = { category: "Location", name: "Location-1", stagingId: 12, productionId: 12, isWaiting: false };
  const lacking = /2 languages of other messages missing: German \(Germany\), French \(France\)/;

  it("of a prompt it lists the languages that other messages have, saved without texts or not at all", async () => {
    await showMessage([use], "de-de");
    expect(screen.getByText(lacking).closest("[role=note]")).toHaveTextContent(
      "head units in EXTERNAL_PROPRIETARY mode ask with an empty text. Those in PROPRIETARY or HTTP mode show the English",
    );
    expect(screen.getByText(/no German \(Germany\) text, so vehicles don’t get this language/)).toBeVisible();
    cleanup();
    await showMessage([], "en-us", "");
    expect(screen.queryByText(lacking)).not.toBeInTheDocument();
    expect(screen.getByText(/no English text. Head units show nothing in English/)).toBeVisible();
  });
});

describe("the head of a message", () => {
  function showHead(isDeleted = false) {
    const record = { id: 41, status: "STAGING", environment: "staging", isDeleted, isPromoted: true } as const;
    const draft = { key: "message:Parking", isDirty: false } as unknown as Draft<MessageDraft>;
    const save = { submit: vi.fn() } as unknown as Save<MessageDraft>;
    const changed = { ...record, changedAt: "2026-02-11T16:20:05.000Z" };
    render(
      <RecordHeader
        family={messageFamily}
        name="Parking"
        record={changed}
        {...{ draft, save }}
        renderRemoval={() => null}
      />,
    );
  }

  it("L5: promotion leads to its review, that of a deletion as well", () => {
    showHead(true);
    expectLink("Publish to production", "/changes?items=message%3AParking");
  });

  it("finding E4: Delete stands in the menu, as on the pages of groups and vehicle data", async () => {
    showHead();
    expect(screen.queryByRole("button", { name: "Delete…" })).not.toBeInTheDocument();
    await press("Actions for Parking");
    await screen.findAllByRole("menuitem");
    expect(texts("menuitem")).toEqual(["View in production", "Delete…"]);
  });
});
