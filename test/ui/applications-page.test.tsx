import { cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import ApplicationsPage from "@/app/(console)/applications/(list)/page";
import type { ConsoleList } from "@/lib/apps/applications/console/console-queries";
import type { DirectoryNews } from "@/lib/apps/applications/console/news-queries";
import { log } from "@/lib/platform/log";
import { aConsoleRow } from "@/test/support/application-list";
import { cookies, router } from "@/test/support/navigation";
import {
  api,
  button,
  catchDownloads,
  choose,
  expectBodies,
  expectLink,
  expectRedirect,
  link,
  pick,
  press,
  pressNext,
  showPage,
  type,
} from "@/test/support/page";

const load = vi.hoisted(() => ({ list: vi.fn(), choices: vi.fn(), news: vi.fn(), problems: vi.fn() }));
vi.mock("@/lib/apps/applications/console/console-queries", () => ({
  loadConsoleList: load.list,
  loadListChoices: load.choices,
}));
vi.mock("@/app/_console/counters", () => ({ countDirectoryProblems: load.problems }));
vi.mock("@/lib/apps/applications/console/news-queries", () => ({ loadDirectoryNews: load.news }));

const counts = { review: 2, staging: 0, accepted: 5, limited: 0, blocked: 1, all: 8 };
const setList = (partial: Partial<ConsoleList> = {}) =>
  load.list.mockResolvedValue({
    ...{ rows: [aConsoleRow()], counts, sort: "-risk", offset: 0, next: null, previous: null },
    ...partial,
  });
const setNews = (partial: Partial<DirectoryNews> = {}) =>
  load.news.mockResolvedValue({
    ...{ directory: "example", webhookUrl: "http://localhost:3000/api/v1/webhook", readAt: null, lastDecision: null },
    ...partial,
  });
function fail() {
  for (const part of [load.choices, load.news]) part.mockRejectedValue(new Error("no news"));
  return vi.spyOn(log, "error").mockImplementation(() => undefined);
}

beforeEach(() => {
  setList();
  setNews();
  load.choices.mockResolvedValue({ platforms: ["ANDROID", "IOS"], categories: [{ id: 3, name: "Media" }] });
  load.problems.mockResolvedValue({ unreadable_applications: 0, failed_tasks: 0 });
});

const show = (query: Record<string, string> = {}) => showPage(ApplicationsPage, "/applications", query);
const expectAsked = (query: object) => expect(load.list).toHaveBeenLastCalledWith(expect.objectContaining(query));
/** What lies behind a button is fetched when the reader begins to act, and then takes the button's place. */
async function openMenu(name: string) {
  window.dispatchEvent(new Event("pointermove"));
  const trigger = await waitFor(() => {
    const found = button(name);
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
  load.problems.mockResolvedValue({ unreadable_applications: 148, failed_tasks: 2 });
  await show();
  expect(screen.getByText(/148.*apps/)).toBeVisible();
  expectLink("View failed tasks", "/about#directory");
});

it("what stands around the list and cannot be read says so in its own place; the apps are there", async () => {
  const logged = fail();
  await show({ platform: "IOS" });
  expect(logged).toHaveBeenCalledOnce();
  expect(row("Tune Harbor")).toBeVisible();
  const words = /^The platform and category filters could not be read\..*Reference: /;
  expect(screen.getByRole("alert")).toHaveTextContent(words);
  expect(link(/Platform.*IOS/)).toBeVisible();
  cleanup();
  setList({ rows: [], counts: { review: 0, staging: 0, accepted: 0, limited: 0, blocked: 0, all: 0 } });
  await show();
  expect(logged).toHaveBeenCalledTimes(3);
  expect(screen.getByText("No apps yet")).toBeVisible();
  expect(screen.getByText(/The last results of the app directory could not be read/)).toBeVisible();
});

describe("the list", () => {
  it("begins with what needs review; every tab has its count and an address", async () => {
    await show();
    expectAsked({ state: "review", sort: "-risk", size: 50 });
    expect(tab(/^Needs review/)).toHaveAttribute("aria-current", "page");
    expect(tab(/^Needs review/)).toHaveTextContent("2");
    expect(tab(/^Approved/)).toHaveTextContent("5");
    expect(tab(/^Blocked/)).toHaveAttribute("href", "/applications?state=blocked");
  });

  it("section 7: an accepted v1 with a pending v2 shows v1 as live", async () => {
    await show();
    expect(row("Tune Harbor")).toHaveTextContent("v1.0");
    expect(row("Tune Harbor")).toHaveTextContent("v2.0");
    expect(row("Tune Harbor")).toHaveTextContent("What’s new");
    expectLink(/^Tune Harbor/, "/applications/41");
  });

  it("tells staging apart where it serves something else", async () => {
    setList({ rows: [aConsoleRow({ production: null, staging: { id: 41, label: "v2.0" } })] });
    await show();
    expect(row("Tune Harbor")).toHaveTextContent("none, staging: v2.0");
  });

  it("the address holds the filters; each can be taken off", async () => {
    await show({ state: "all", q: "tune", category: "3", perm: "gps", flag: "auto" });
    expectAsked({ state: "all", q: "tune", category: 3, perm: "gps", flag: "auto" });
    const chips = screen.getByRole("list", { name: "Filters" });
    expectLink("Remove filter Category: Media", "/applications?state=all&q=tune&perm=gps&flag=auto", within(chips));
    expect(within(chips).getByRole("link", { name: "Remove filter Flag: Approved automatically" })).toBeVisible();
    expectLink("Clear filters", "/applications?state=all", within(chips));
    expect(tab(/^Approved/)).toHaveAttribute(
      "href",
      "/applications?state=accepted&q=tune&category=3&perm=gps&flag=auto",
    );
  });

  it("keeps a chosen order from tab to tab, but neither the page nor the tab's own order", async () => {
    await show({ state: "accepted", sort: "name", after: "HERE" });
    expect(tab(/^All/)).toHaveAttribute("href", "/applications?state=all&sort=name");
    cleanup();
    await show({ state: "accepted", sort: "-updated" });
    expect(tab(/^Needs review/)).toHaveAttribute("href", "/applications");
  });

  it("what means nothing leaves the address", async () => {
    await expectRedirect(show({ state: "nonsense", q: "tune", size: "7" }), "/applications?q=tune");
  });

  it("turns pages within the same list", async () => {
    setList({ offset: 50, next: "NEXT", previous: "PREVIOUS", counts: { ...counts, review: 120 } });
    await show({ q: "tune", after: "HERE" });
    expect(screen.getByText("51–51").parentElement).toHaveTextContent("51–51 of 120");
    expectLink("Next", "/applications?q=tune&after=NEXT");
    expectLink("Previous", "/applications?q=tune&before=PREVIOUS");
  });

  it("remembers the list for the way back from an app", async () => {
    await show({ state: "all", q: "tune" });
    await waitFor(() => expect(sessionStorage.getItem("list:/applications")).toBe("/applications?state=all&q=tune"));
  });

  it("begins with the page size that was chosen last, unless the address names one", async () => {
    cookies.set("page-size", { value: "25" });
    setList({ next: "NEXT", counts: { ...counts, review: 120 } });
    await show({ q: "tune" });
    expectAsked({ size: 25 });
    expectLink("Next", "/applications?q=tune&after=NEXT");
    cleanup();
    await show({ q: "tune", size: "50" });
    expectAsked({ size: 50 });
    expectLink("Next", "/applications?q=tune&size=50&after=NEXT");
    cleanup();
    cookies.set("page-size", { value: "many" });
    await show();
    expectAsked({ size: 50 });
    expect(router.replace).not.toHaveBeenCalled();
  });

  it("exports what the filters let pass", async () => {
    const hrefs = catchDownloads();
    await show({ state: "all", platform: "IOS", sort: "name", size: "25", after: "x" });
    await openMenu("Export");
    await pick("8 applications as CSV");
    expect(hrefs).toEqual(["/api/v1/ui/applications/export?state=all&platform=IOS&sort=name&format=csv"]);
  });

  it("copies the UUIDs of chosen rows", async () => {
    const user = userEvent.setup();
    setList({ rows: [aConsoleRow(), aConsoleRow({ uuid: "other", name: "Other" })] });
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
    await press("More filters");
    return screen.findByRole("dialog", { name: "Filters" });
  }

  it("are fetched when they are wanted, and change the list at once", async () => {
    api.answer = () => ({ data: offered });
    await show({ state: "all", q: "tune", perm: "Show", after: "HERE" });
    expect(api.reads).toEqual([]);
    const dialog = await openFilters();
    await waitFor(() => expect(api.reads).toEqual(["/api/v1/ui/applications/choices"]));
    await waitFor(() =>
      expect(within(dialog).getByRole("combobox", { name: "Requested permission" })).toHaveValue("Show"),
    );
    await choose("Updated", "Last 7 days", within(dialog));
    await choose("In production", "None", within(dialog));
    await press("Show apps", within(dialog));
    expect(router.push).toHaveBeenCalledExactlyOnceWith(
      "/applications?state=all&q=tune&perm=Show&updated=week&live=no",
      { scroll: false },
    );
  });

  it("begin with what is on, and can be cleared together", async () => {
    api.answer = () => ({ data: offered });
    await show({ state: "all", flag: "auto", country: "DE", transport: "other" });
    const dialog = await openFilters();
    expect(within(dialog).getByRole("combobox", { name: "Flag" })).toHaveValue("auto");
    expect(within(dialog).getByRole("combobox", { name: "Transport" })).toHaveValue("other");
    await press("Clear these", within(dialog));
    await press("Show apps", within(dialog));
    expect(router.push).toHaveBeenCalledWith("/applications?state=all", { scroll: false });
  });

  it("say what is wrong when they cannot be fetched; the others work", async () => {
    api.answer = () => ({ status: 503, message: "The database is away" });
    await show();
    const dialog = await openFilters();
    expect(await within(dialog).findByText("The database is away")).toBeVisible();
    await choose("Flag", "RPC encryption", within(dialog));
    await press("Show apps", within(dialog));
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
      "In production: None",
      "Clear filters",
    ]);
  });
});

it("blocking from the list: section 3, 7: menu, Block, confirm", async () => {
  setList({ rows: [aConsoleRow({ state: "ACCEPTED" })] });
  await show({ state: "accepted" });
  await openMenu("Actions for Tune Harbor");
  await pick("Block…");
  const question = await screen.findByRole("alertdialog");
  expect(question).toHaveTextContent("no permissions in staging and production");
  await type("Type Tune Harbor to go on", "Tune Harbor", within(question));
  await press("Block without a reason", within(question));
  const subject = { id: 41, uuid: "7d0c2a54", version_id: 913 };
  await expectBodies({ ...subject, approval_status: "LIMITED", blacklist: true, denial_message: null });
  expect(api.sent[0]).toMatchObject({ method: "POST", path: "/api/v1/applications/action" });
  expect(router.refresh).toHaveBeenCalledOnce();
  await pressNext("Revert…");
  expect(router.push).toHaveBeenCalledWith("/applications/41?restore=ACCEPTED");
});

it("blocking from the list: is not offered for what is blocked already", async () => {
  setList({ rows: [aConsoleRow({ state: "BLOCKED", production: null, staging: null })] });
  await show({ state: "blocked" });
  await openMenu("Actions for Tune Harbor");
  expect(await screen.findByRole("menuitem", { name: "Open" })).toBeVisible();
  expect(screen.queryByRole("menuitem", { name: "Block…" })).not.toBeInTheDocument();
});

describe("nothing to show", () => {
  const none = { review: 0, staging: 0, accepted: 0, limited: 0, blocked: 0, all: 0 };
  beforeEach(() => void setList({ rows: [], counts: { ...counts, review: 0 } }));

  it("says what there is none of, and offers to clear filters", async () => {
    await show({ q: "zzz" });
    expect(screen.getByText("No app matches the filters")).toBeVisible();
    expect(screen.getAllByRole("link", { name: "Clear filters" })[0]).toHaveAttribute("href", "/applications");
    await show({ state: "limited" });
    expect(screen.getByText("No app is limited")).toBeVisible();
  });

  it("needs review: tells of the last decision and of the directory", async () => {
    const at = "2026-02-11T16:20:05.000Z";
    setNews({ readAt: at, lastDecision: { id: 7, name: "Podcat", at } });
    await show();
    expect(screen.getByText("Nothing to review")).toBeVisible();
    expectLink("Podcat", "/applications/7");
    expect(screen.getByText(/Last read from the directory/)).toBeVisible();
    expect(screen.queryByRole("button", { name: "Sync now" })).not.toBeInTheDocument();
  });

  it("no apps at all: says where they come from, and reads the directory now", async () => {
    setList({ rows: [], counts: none });
    await show();
    expect(screen.getByText("http://localhost:3000/api/v1/webhook")).toBeVisible();
    expect(screen.getByText("The app directory has not been read yet.")).toBeVisible();
    await press("Sync now");
    expect(await screen.findByText("Reading the app directory")).toBeVisible();
    expect(api.sent).toEqual([{ method: "POST", path: "/api/v1/ui/sync", body: {} }]);
  });

  it("no apps and no directory: does not offer to read one", async () => {
    setList({ rows: [], counts: none });
    setNews({ directory: "off" });
    await show();
    expect(screen.getByText(/No app directory is configured/)).toBeVisible();
    expect(screen.queryByRole("button", { name: "Sync now" })).not.toBeInTheDocument();
  });
});
