import { cleanup, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { SWRConfig } from "swr";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import ApplicationsPage from "@/app/(console)/applications/(list)/page";
import { Toaster } from "@/app/_components/shell/toaster";
import type { ConsoleList } from "@/lib/apps/applications/console/console-queries";
import type { ConsoleRow } from "@/lib/apps/applications/console/console-rows";
import type { DirectoryNews } from "@/lib/apps/applications/console/news-queries";
import { get } from "@/lib/platform/http/client";
import { log } from "@/lib/platform/log";
import { type SentRequest, stubApi, stubBrowser } from "@/test/support/console-stubs";
import { forgetSettings, useSettings } from "@/test/support/settings";

let list: ConsoleList;
let news: DirectoryNews;
let asked: unknown;
/** Why what stands around the list cannot be read. */
let failing: Error | null = null;
let sent: SentRequest[] = [];
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
  usePathname: () => "/applications",
}));
vi.mock("@/lib/apps/applications/console/console-queries", () => ({
  loadConsoleList: (query: unknown) => {
    asked = query;
    return Promise.resolve(list);
  },
  loadListChoices: () =>
    failing
      ? Promise.reject(failing)
      : Promise.resolve({ platforms: ["ANDROID", "IOS"], categories: [{ id: 3, name: "Media" }] }),
}));
vi.mock("@/lib/console/counters", () => ({ countDirectoryProblems: () => Promise.resolve(directoryProblems) }));
vi.mock("@/lib/apps/applications/console/news-queries", () => ({
  loadDirectoryNews: () => (failing ? Promise.reject(failing) : Promise.resolve(news)),
}));

let directoryProblems = { unreadable_applications: 0, failed_tasks: 0 };

const aRow = (partial: Partial<ConsoleRow> = {}): ConsoleRow => ({
  id: 41,
  uuid: "7d0c2a54",
  name: "Tune Harbor",
  vendor: "Harbor Audio",
  iconUrl: null,
  state: "PENDING",
  version: "v2.0",
  versionId: 913,
  production: { id: 40, label: "v1.0" },
  staging: { id: 40, label: "v1.0" },
  platform: "ANDROID",
  category: "Media",
  countries: ["DE", "US"],
  countryCount: 2,
  updatedAt: "2026-02-11T16:20:05.000Z",
  waitingSince: "2026-02-11T16:20:05.000Z",
  flags: [],
  effect: null,
  ...partial,
});
const counts = { review: 2, staging: 0, accepted: 5, limited: 0, blocked: 1, all: 8 };

forgetSettings();
beforeEach(() => {
  useSettings();
  stubBrowser();
  sent = stubApi(() => ({ data: {} }));
  failing = null;
  for (const spy of Object.values(router)) spy.mockClear();
  list = { rows: [aRow()], counts, sort: "-risk", offset: 0, next: null, previous: null };
  news = { directory: "example", webhookUrl: "http://localhost:3000/api/v1/webhook", readAt: null, lastDecision: null };
  localStorage.clear();
  cookies.clear();
  sessionStorage.clear();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function show(query: Record<string, string> = {}) {
  window.history.replaceState(null, "", `/applications?${new URLSearchParams(query).toString()}`);
  render(
    <SWRConfig value={{ fetcher: get, provider: () => new Map() }}>
      {await ApplicationsPage({ params: Promise.resolve({}), searchParams: Promise.resolve(query) })}
      <Toaster />
    </SWRConfig>,
  );
}
/** What lies behind a button is fetched when the reader begins to act, and then takes the button's place. */
async function openMenu(name: string) {
  window.dispatchEvent(new Event("pointermove"));
  const trigger = await waitFor(() => {
    const found = screen.getByRole("button", { name });
    expect(found.id).not.toBe("");
    return found;
  });
  await userEvent.click(trigger);
}
const row = (name: string) => screen.getByRole("link", { name: new RegExp(`^${name}`) }).closest("tr")!;
const tab = (name: RegExp) => within(screen.getByRole("navigation", { name: "States" })).getByRole("link", { name });

it("finding E2: tells of unreadable apps and failed tasks, which only About showed", async () => {
  await show();
  expect(screen.queryByRole("link", { name: "View failed tasks" })).not.toBeInTheDocument();
  cleanup();
  directoryProblems = { unreadable_applications: 148, failed_tasks: 2 };
  await show();
  directoryProblems = { unreadable_applications: 0, failed_tasks: 0 };
  expect(screen.getByText(/148.*apps/)).toBeVisible();
  expect(screen.getByRole("link", { name: "View failed tasks" })).toHaveAttribute("href", "/about#directory");
});

describe("what stands around the list and cannot be read", () => {
  it("says so in its own place; the apps are there", async () => {
    failing = new Error("no choices");
    const logged = vi.spyOn(log, "error").mockImplementation(() => undefined);
    await show({ platform: "IOS" });
    expect(logged).toHaveBeenCalledOnce();
    expect(row("Tune Harbor")).toBeVisible();
    expect(screen.getByRole("alert")).toHaveTextContent(
      /^The platform and category filters could not be read\..*Reference: /,
    );
    expect(screen.getByRole("link", { name: /Platform.*IOS/ })).toBeVisible();
  });

  it("says so below an empty list", async () => {
    failing = new Error("no news");
    const logged = vi.spyOn(log, "error").mockImplementation(() => undefined);
    list = { ...list, rows: [], counts: { review: 0, staging: 0, accepted: 0, limited: 0, blocked: 0, all: 0 } };
    await show();
    expect(logged).toHaveBeenCalledTimes(2);
    expect(screen.getByText("No apps yet")).toBeVisible();
    expect(screen.getByText(/The last results of the app directory could not be read/)).toBeVisible();
  });
});

describe("the list", () => {
  it("begins with what needs review; every tab has its count and an address", async () => {
    await show();
    expect(asked).toMatchObject({ state: "review", sort: "-risk", size: 50 });
    expect(tab(/^Needs review/)).toHaveAttribute("aria-current", "page");
    expect(tab(/^Needs review/)).toHaveTextContent("2");
    expect(tab(/^Approved/)).toHaveTextContent("5");
    expect(tab(/^Blocked/)).toHaveAttribute("href", "/applications?state=blocked");
  });

  it("section 7: an accepted v1 with a pending v2 shows production: v1", async () => {
    await show();
    expect(row("Tune Harbor")).toHaveTextContent("production: v1.0");
    expect(row("Tune Harbor")).toHaveTextContent("v2.0");
    expect(row("Tune Harbor")).toHaveTextContent("What’s new");
    expect(screen.getByRole("link", { name: /^Tune Harbor/ })).toHaveAttribute("href", "/applications/41");
  });

  it("tells staging apart where it serves something else", async () => {
    list = { ...list, rows: [aRow({ production: null, staging: { id: 41, label: "v2.0" } })] };
    await show();
    expect(row("Tune Harbor")).toHaveTextContent("production: none");
    expect(row("Tune Harbor")).toHaveTextContent("staging: v2.0");
  });

  it("shows a drawing in place of an icon that is not there, fails, or would come without TLS", async () => {
    list = {
      ...list,
      rows: [
        aRow({ uuid: "a", name: "Alpha", iconUrl: "https://cdn.example.com/a.png" }),
        aRow({ uuid: "b", name: "Bravo", iconUrl: "http://cdn.example.com/b.png" }),
        aRow({ uuid: "c", name: "Charlie", iconUrl: null }),
      ],
    };
    await show();
    const icon = row("Alpha").querySelector("img");
    expect(icon).toHaveAttribute("src", "https://cdn.example.com/a.png");
    expect(row("Bravo").querySelector("img")).toBeNull();
    expect(row("Charlie").querySelector("img")).toBeNull();
    icon?.dispatchEvent(new Event("error"));
    await waitFor(() => {
      expect(row("Alpha").querySelector("img")).toBeNull();
    });
  });

  it("the address holds the filters; each can be taken off", async () => {
    await show({ state: "all", q: "tune", category: "3", perm: "gps", flag: "auto" });
    expect(asked).toMatchObject({ state: "all", q: "tune", category: 3, perm: "gps", flag: "auto" });
    const chips = screen.getByRole("list", { name: "Filters" });
    expect(within(chips).getByRole("link", { name: "Remove filter Category: Media" })).toHaveAttribute(
      "href",
      "/applications?state=all&q=tune&perm=gps&flag=auto",
    );
    expect(within(chips).getByRole("link", { name: "Remove filter Flag: Approved automatically" })).toBeVisible();
    expect(within(chips).getByRole("link", { name: "Clear filters" })).toHaveAttribute(
      "href",
      "/applications?state=all",
    );
    // From tab to tab the filters stay.
    expect(tab(/^Approved/)).toHaveAttribute(
      "href",
      "/applications?state=accepted&q=tune&category=3&perm=gps&flag=auto",
    );
  });

  it("what means nothing leaves the address", async () => {
    await expect(show({ state: "nonsense", q: "tune", size: "7" })).rejects.toMatchObject({
      digest: expect.stringContaining(";/applications?q=tune;"),
    });
  });

  it("turns pages within the same list", async () => {
    list = { ...list, offset: 50, next: "NEXT", previous: "PREVIOUS", counts: { ...counts, review: 120 } };
    await show({ q: "tune", after: "HERE" });
    expect(screen.getByText("51–51").parentElement).toHaveTextContent("51–51 of 120");
    expect(screen.getByRole("link", { name: "Next" })).toHaveAttribute("href", "/applications?q=tune&after=NEXT");
    expect(screen.getByRole("link", { name: "Previous" })).toHaveAttribute(
      "href",
      "/applications?q=tune&before=PREVIOUS",
    );
  });

  it("remembers the list for the way back from an app", async () => {
    await show({ state: "all", q: "tune" });
    await waitFor(() => {
      expect(JSON.parse(sessionStorage.getItem("list:/applications") ?? "null")).toEqual({
        path: "/applications?state=all&q=tune",
        items: [{ key: "41", path: "/applications/41" }],
      });
    });
  });

  it("begins with the page size that was chosen last, unless the address names one", async () => {
    cookies.set("page-size", { value: "25" });
    list = { ...list, next: "NEXT", counts: { ...counts, review: 120 } };
    await show({ q: "tune" });
    expect(asked).toMatchObject({ size: 25 });
    expect(screen.getByRole("link", { name: "Next" })).toHaveAttribute("href", "/applications?q=tune&after=NEXT");
    cleanup();
    await show({ q: "tune", size: "50" });
    expect(asked).toMatchObject({ size: 50 });
    expect(screen.getByRole("link", { name: "Next" })).toHaveAttribute(
      "href",
      "/applications?q=tune&size=50&after=NEXT",
    );
    cleanup();
    cookies.set("page-size", { value: "many" });
    await show();
    expect(asked).toMatchObject({ size: 50 });
    expect(router.replace).not.toHaveBeenCalled();
  });

  it("exports what the filters let pass", async () => {
    const hrefs: string[] = [];
    const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      hrefs.push(this.getAttribute("href") ?? "");
    });
    window.history.replaceState(null, "", "/applications?state=all&platform=IOS&sort=name&size=25&after=x");
    await show({ state: "all", platform: "IOS", sort: "name" });
    await openMenu("Export");
    await userEvent.click(await screen.findByRole("menuitem", { name: "8 applications as CSV" }));
    expect(hrefs).toEqual(["/api/v1/ui/applications/export?state=all&platform=IOS&sort=name&format=csv"]);
    click.mockRestore();
    window.history.replaceState(null, "", "/");
  });

  it("copies the UUIDs of chosen rows", async () => {
    const user = userEvent.setup();
    list = { ...list, rows: [aRow(), aRow({ uuid: "other", name: "Other" })] };
    await show();
    await user.click(screen.getByRole("checkbox", { name: "Select all rows shown" }));
    await user.click(screen.getByRole("button", { name: "Copy 2 UUIDs" }));
    expect(await navigator.clipboard.readText()).toBe("7d0c2a54\nother");
  });
});

describe("more filters", () => {
  const offered = {
    permissions: [
      { name: "gps", type: "PARAMETER" },
      { name: "Show", type: "RPC" },
    ],
    services: [{ name: "MEDIA", display_name: "Media" }],
    countries: [{ iso: "DE", name: "Germany" }],
  };
  async function openFilters() {
    await userEvent.click(screen.getByRole("button", { name: /^More filters/ }));
    return screen.findByRole("dialog", { name: "More filters" });
  }

  it("are fetched when they are wanted, and change the list at once", async () => {
    const paths: string[] = [];
    stubApi(({ path }) => {
      paths.push(path);
      return { data: offered };
    });
    await show({ state: "all", q: "tune", perm: "Show", after: "HERE" });
    expect(paths).toEqual([]);
    const dialog = await openFilters();
    await waitFor(() => {
      expect(paths).toEqual(["/api/v1/ui/applications/choices"]);
    });
    await waitFor(() => {
      expect(within(dialog).getByRole("combobox", { name: "Requested permission" })).toHaveValue("Show");
    });
    await userEvent.selectOptions(within(dialog).getByRole("combobox", { name: "Updated" }), "Last 7 days");
    await userEvent.selectOptions(within(dialog).getByRole("combobox", { name: "Live version" }), "None");
    await userEvent.click(within(dialog).getByRole("button", { name: "Show apps" }));
    expect(router.push).toHaveBeenCalledExactlyOnceWith(
      "/applications?state=all&q=tune&perm=Show&updated=week&live=no",
      { scroll: false },
    );
  });

  it("begin with what is on, and can be cleared together", async () => {
    sent = stubApi(() => ({ data: offered }));
    await show({ state: "all", flag: "auto", country: "DE", transport: "other" });
    expect(screen.getByRole("button", { name: "More filters, 3 on" })).toBeVisible();
    const dialog = await openFilters();
    expect(within(dialog).getByRole("combobox", { name: "Flag" })).toHaveValue("auto");
    expect(within(dialog).getByRole("combobox", { name: "Transport" })).toHaveValue("other");
    await userEvent.click(within(dialog).getByRole("button", { name: "Clear these" }));
    await userEvent.click(within(dialog).getByRole("button", { name: "Show apps" }));
    expect(router.push).toHaveBeenCalledWith("/applications?state=all", { scroll: false });
  });

  it("say what is wrong when they cannot be fetched; the others work", async () => {
    sent = stubApi(() => ({ status: 503, message: "The database is away" }));
    await show();
    const dialog = await openFilters();
    expect(await within(dialog).findByText("The database is away")).toBeVisible();
    await userEvent.selectOptions(within(dialog).getByRole("combobox", { name: "Flag" }), "RPC encryption");
    await userEvent.click(within(dialog).getByRole("button", { name: "Show apps" }));
    expect(router.push).toHaveBeenCalledWith("/applications?flag=encryption", { scroll: false });
  });

  it("are shown as chips, by their names", async () => {
    await show({ updated: "month", live: "no", country: "DE", service: "MEDIA", perm: "gps" });
    const chips = within(screen.getByRole("list", { name: "Filters" })).getAllByRole("link");
    expect(chips.map((chip) => chip.textContent)).toEqual([
      "Country: DE",
      "Requests: gps",
      "Service: MEDIA",
      "Updated: Last 30 days",
      "Live version: None",
      "Clear filters",
    ]);
  });
});

describe("blocking from the list", () => {
  it("section 3, 7: menu, Block, confirm", async () => {
    list = { ...list, rows: [aRow({ state: "ACCEPTED" })] };
    await show({ state: "accepted" });
    await openMenu("Actions for Tune Harbor");
    await userEvent.click(await screen.findByRole("menuitem", { name: "Block…" }));
    const question = await screen.findByRole("alertdialog");
    expect(question).toHaveTextContent("no permissions in staging and production");
    await userEvent.type(within(question).getByRole("textbox", { name: "Type Tune Harbor to go on" }), "Tune Harbor");
    await userEvent.click(within(question).getByRole("button", { name: "Block without a reason" }));
    await waitFor(() => {
      expect(sent).toEqual([
        {
          method: "POST",
          path: "/api/v1/applications/action",
          body: {
            id: 41,
            approval_status: "LIMITED",
            blacklist: true,
            uuid: "7d0c2a54",
            version_id: 913,
            denial_message: null,
          },
        },
      ]);
    });
    expect(router.refresh).toHaveBeenCalledOnce();
    await userEvent.click(await screen.findByRole("button", { name: "Revert…" }));
    expect(router.push).toHaveBeenCalledWith("/applications/41?restore=ACCEPTED");
  });

  it("is not offered for what is blocked already", async () => {
    list = { ...list, rows: [aRow({ state: "BLOCKED", production: null, staging: null })] };
    await show({ state: "blocked" });
    await openMenu("Actions for Tune Harbor");
    expect(await screen.findByRole("menuitem", { name: "Open" })).toBeVisible();
    expect(screen.queryByRole("menuitem", { name: "Block…" })).not.toBeInTheDocument();
  });
});

describe("nothing to show", () => {
  const none = { review: 0, staging: 0, accepted: 0, limited: 0, blocked: 0, all: 0 };
  beforeEach(() => {
    list = { sort: "-risk", rows: [], counts: { ...counts, review: 0 }, offset: 0, next: null, previous: null };
  });

  it("filters: offers to clear them", async () => {
    await show({ q: "zzz" });
    expect(screen.getByText("No app matches the filters")).toBeVisible();
    expect(screen.getAllByRole("link", { name: "Clear filters" })[0]).toHaveAttribute("href", "/applications");
  });

  it("needs review: tells of the last decision and of the directory", async () => {
    const at = "2026-02-11T16:20:05.000Z";
    news = { ...news, readAt: at, lastDecision: { id: 7, name: "Podcat", at } };
    await show();
    expect(screen.getByText("Nothing to review")).toBeVisible();
    expect(screen.getByRole("link", { name: "Podcat" })).toHaveAttribute("href", "/applications/7");
    expect(screen.getByText(/Last read from the directory/)).toBeVisible();
    expect(screen.queryByRole("button", { name: "Sync now" })).not.toBeInTheDocument();
  });

  it("no apps at all: says where they come from, and reads the directory now", async () => {
    list = { ...list, counts: none };
    await show();
    expect(screen.getByText("http://localhost:3000/api/v1/webhook")).toBeVisible();
    expect(screen.getByText("The app directory has not been read yet.")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Sync now" }));
    await waitFor(() => {
      expect(sent).toEqual([{ method: "POST", path: "/api/v1/ui/sync", body: {} }]);
    });
    expect(await screen.findByText("Reading the app directory")).toBeVisible();
  });

  it("no apps and no directory: does not offer to read one", async () => {
    list = { ...list, counts: none };
    news = { ...news, directory: "off" };
    await show();
    expect(screen.getByText(/No app directory is configured/)).toBeVisible();
    expect(screen.queryByRole("button", { name: "Sync now" })).not.toBeInTheDocument();
  });

  it("another state: says so", async () => {
    await show({ state: "limited" });
    expect(screen.getByText("No app is limited")).toBeVisible();
  });
});
