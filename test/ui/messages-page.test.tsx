import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import ConsumerMessagesPage from "@/app/(console)/consumermessages/(list)/page";
import { Toaster } from "@/app/_components/shell/toaster";
import type { MessageOverview } from "@/lib/content/messages/console-queries";
import type { MessageRow } from "@/lib/content/messages/overview";
import { type SentRequest, type StubbedAnswer, stubApi, stubBrowser } from "@/test/support/console-stubs";
import { forgetSettings, useSettings } from "@/test/support/settings";

let overview: MessageOverview;
let asked: unknown;
let sent: SentRequest[] = [];
let answer: (request: SentRequest) => StubbedAnswer;
const router = { push: vi.fn(), replace: vi.fn(), refresh: vi.fn() };

const cookies = new Map<string, { readonly value: string }>();
vi.mock("next/headers", () => ({
  headers: () => Promise.resolve(new Headers()),
  cookies: () => Promise.resolve(cookies),
}));
vi.mock("next/navigation", async (original) => ({
  ...(await original<object>()),
  useRouter: () => router,
  useSearchParams: () => new URLSearchParams(window.location.search),
  usePathname: () => "/consumermessages",
}));
vi.mock("@/lib/content/messages/console-queries", () => ({
  loadMessageOverview: (query: unknown) => {
    asked = query;
    return Promise.resolve(overview);
  },
}));
vi.mock("@/lib/content/messages/queries", () => ({ listLanguages: () => Promise.resolve(["de-de", "en-us"]) }));

const aRow = (partial: Partial<MessageRow> = {}): MessageRow => ({
  id: 30,
  category: "Location",
  status: "PRODUCTION",
  isDeleted: false,
  isNew: false,
  changedAt: "2026-02-11T16:20:05.000Z",
  preview: "An app can read the position.",
  found: null,
  languageCount: 18,
  partialCount: 2,
  uses: [],
  ...partial,
});

forgetSettings();
beforeEach(() => {
  useSettings();
  stubBrowser();
  answer = () => ({ data: {} });
  sent = stubApi((request) => answer(request));
  for (const spy of Object.values(router)) spy.mockClear();
  const languages = [
    { id: "de-de", name: "German (Germany)" },
    { id: "en-us", name: "English (United States)" },
  ];
  const sizes = { messageCount: 0, plain: 2, gzip: 9, languages: [] };
  const counts = { all: 1, modified: 0, new: 0, edited: 0, deleted: 0, production: 1 };
  overview = { rows: [aRow()], total: 1, first: 0, count: 1, counts, waiting: [], matching: [], languages, sizes };
  localStorage.clear();
  cookies.clear();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

async function show(query: Record<string, string> = {}) {
  window.history.replaceState(null, "", `/consumermessages?${new URLSearchParams(query).toString()}`);
  render(
    <>
      {await ConsumerMessagesPage({ params: Promise.resolve({}), searchParams: Promise.resolve(query) })}
      <Toaster />
    </>,
  );
}
const row = (name: string) => screen.getByRole("link", { name }).closest("tr")!;

describe("the list of messages", () => {
  it("shows text, completeness, groups and state of a message, and leads to it", async () => {
    const use = { category: "Location", name: "Location-1", stagingId: 12, productionId: null, isWaiting: true };
    overview = { ...overview, rows: [aRow({ uses: [use], status: "STAGING", isNew: true })] };
    await show();
    expect(row("Location")).toHaveTextContent("An app can read the position.");
    expect(row("Location")).toHaveTextContent("18/2 languages");
    expect(row("Location")).toHaveTextContent("2 partial");
    expect(row("Location")).toHaveTextContent("Location-1 · staging only");
    expect(row("Location")).toHaveTextContent("New");
    expect(screen.getByRole("link", { name: "Location" })).toHaveAttribute(
      "href",
      "/consumermessages/manage?id=30&environment=staging",
    );
    expect(screen.getByRole("link", { name: "Location-1" })).toHaveAttribute(
      "href",
      "/functionalgroups/manage?id=12&environment=staging",
    );
  });

  it("asks for what the address says, in words above the list, and falls back where it means nothing", async () => {
    await show({ environment: "production", q: "road", missing: "de-de" });
    expect(asked).toMatchObject({ environment: "production", q: "road", missing: "de-de", sort: "name" });
    const filters = within(screen.getByRole("list", { name: "Filters" }));
    expect(filters.getByRole("link", { name: "Remove filter Missing in: German (Germany)" })).toHaveAttribute(
      "href",
      "/consumermessages?environment=production&q=road",
    );
    await expect(show({ state: "odd" })).rejects.toMatchObject({
      digest: expect.stringContaining("/consumermessages;"),
    });
  });

  it("an unknown language or parameter falls back and leaves the address", async () => {
    await expect(show({ lang: "xx-yy", missing: "de-de", theme: "dark" })).rejects.toMatchObject({
      digest: expect.stringContaining("/consumermessages?missing=de-de;"),
    });
    await expect(show({ missing: "xx-yy" })).rejects.toMatchObject({
      digest: expect.stringContaining("/consumermessages;"),
    });
  });

  it("begins with the page size that was chosen last, and says which page it shows", async () => {
    cookies.set("page-size", { value: "25" });
    overview = { ...overview, first: 25, total: 26 };
    await show({ cursor: "900" });
    expect(asked).toMatchObject({ size: 25, cursor: 900 });
    expect(screen.getByText("26–26").parentElement).toHaveTextContent("26–26 of 26");
    expect(screen.getByRole("link", { name: "Previous" })).toHaveAttribute("href", "/consumermessages");
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Rows" }), "100");
    expect(document.cookie).toContain("page-size=100");
    expect(router.push).toHaveBeenCalledWith("/consumermessages?size=100", { scroll: false });
  });

  it("remembers the list, with its filters, for the way back from a message", async () => {
    await show({ environment: "production", q: "road" });
    await waitFor(() => {
      expect(JSON.parse(sessionStorage.getItem("list:/consumermessages") ?? "null")).toEqual({
        path: "/consumermessages?environment=production&q=road",
        items: [{ key: "Location", path: "/consumermessages/manage?category=Location&environment=production" }],
      });
    });
  });

  it("the groups that the first two hide can be opened", async () => {
    const uses = ["A", "B", "C", "D"].map((name, id) => ({
      category: "Location",
      name,
      stagingId: id + 1,
      productionId: id + 1,
      isWaiting: false,
    }));
    overview = { ...overview, rows: [aRow({ uses })] };
    await show();
    const link = screen.getByRole("link", { name: "C", hidden: true });
    expect(link.closest("details")).not.toHaveAttribute("open");
    await userEvent.click(screen.getByText("and 2 more"));
    expect(link.closest("details")).toHaveAttribute("open");
  });

  it("a deletion can be taken back, from whatever is the newest version then", async () => {
    const stored = (id: number, is_deleted: boolean) => ({
      id,
      message_category: "Location",
      is_deleted,
      languages: [
        { language_id: "en-us", selected: true, tts: "Where", line1: null, line2: null, text_body: null, label: null },
      ],
    });
    let newest = stored(30, false);
    answer = ({ method, path, body }) => {
      if (method === "POST") newest = stored(newest.id + 1, (body as any).messages[0].is_deleted);
      const isList = path.includes("search=Location");
      return { data: { messages: [isList ? { id: newest.id, message_category: "Location" } : newest] } };
    };
    await show();
    await userEvent.click(screen.getByRole("button", { name: "Actions for Location" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "Delete…" }));
    await userEvent.click(await screen.findByRole("button", { name: "Delete the message" }));
    await userEvent.click(await screen.findByRole("button", { name: "Undo" }));
    await screen.findByText("Restored Location in staging");
    expect(sent.map(({ body }) => (body as any).messages[0])).toEqual([
      expect.objectContaining({ is_deleted: true, base_id: 30 }),
      expect.objectContaining({ is_deleted: false, base_id: 31 }),
    ]);
  });

  it("offers changes in staging only, promotion only where something waits", async () => {
    await show();
    expect(screen.getByRole("link", { name: "New message" })).toBeVisible();
    expect(screen.queryByRole("link", { name: "Publish to production" })).not.toBeInTheDocument();
  });

  it("production is only read", async () => {
    await show({ environment: "production" });
    expect(screen.queryByRole("link", { name: "New message" })).not.toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Update language list" })).not.toBeInTheDocument();
    expect(screen.queryByRole("checkbox")).not.toBeInTheDocument();
  });

  it("L5: promotion leads to the review of all messages", async () => {
    overview = { ...overview, waiting: [31], matching: [31] };
    await show();
    expect(screen.getByRole("link", { name: "Publish to production" })).toHaveAttribute(
      "href",
      "/changes?items=message",
    );
  });

  it("says how many languages an update has added", async () => {
    answer = ({ path }) =>
      path.includes("template") ? { data: { messages: [{ languages: [1, 2, 3, 4] }] } } : { data: {} };
    await show();
    await userEvent.click(screen.getByRole("button", { name: "Update language list" }));
    expect(await screen.findByText("Language list updated: 2 added, 4 in all")).toBeInTheDocument();
    expect(sent).toEqual([expect.objectContaining({ path: "/api/v1/messages/update" })]);
  });

  it("says why an update of the languages failed", async () => {
    answer = () => ({ status: 500, message: "The specification cannot be read" });
    await show();
    await userEvent.click(screen.getByRole("button", { name: "Update language list" }));
    expect(await screen.findByText("The specification cannot be read")).toBeInTheDocument();
  });

  it("tells an empty list from one that the filters have emptied", async () => {
    overview = { ...overview, rows: [], total: 0, count: 0 };
    await show();
    expect(screen.getByText("No messages yet")).toBeVisible();
  });

  it("offers to clear the filters that let nothing pass", async () => {
    overview = { ...overview, rows: [], total: 0 };
    await show({ q: "nothing" });
    expect(screen.getByText("No message matches the filters")).toBeVisible();
    expect(screen.getAllByRole("link", { name: "Clear filters" })[0]).toHaveAttribute("href", "/consumermessages");
  });

  it("finding E4: states are tabs with counts that keep the filters, as in the other lists", async () => {
    overview = { ...overview, counts: { all: 1_852, modified: 3, new: 2, edited: 0, deleted: 1, production: 1_849 } };
    await show({ state: "modified", q: "road" });
    const tabs = within(screen.getByRole("navigation", { name: "Views of the messages" }));
    expect(tabs.getAllByRole("link").map(({ textContent }) => textContent)).toEqual([
      "All1,852",
      "Not in production3",
      "New2",
      "Modified0",
      "Deletion pending1",
      "In production1,849",
    ]);
    expect(tabs.getByRole("link", { current: "page" })).toHaveTextContent("Not in production");
    expect(tabs.getByRole("link", { name: /^New/ })).toHaveAttribute("href", "/consumermessages?state=new&q=road");
    expect(screen.queryByRole("button", { name: /^State/ })).not.toBeInTheDocument();
  });
});

describe("finding A7: what each language adds to every vehicle's table", () => {
  const section = () => screen.getByRole("region", { name: "Size in every vehicle’s table" });

  it("is said for each language, plain and compressed, and for all together", async () => {
    overview = {
      ...overview,
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
    };
    await show({ q: "road", missing: "de-de" });
    expect(section()).toHaveTextContent("All 19 messages in 3 languages: 86,383 bytes, 21,678 compressed.");
    await userEvent.click(within(section()).getByText("Size of each language"));
    const rows = within(section()).getAllByRole("row");
    const lines = rows.map(({ children }) => [...children].map((cell) => cell.textContent));
    expect(lines).toEqual([
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
