import { act, cleanup, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { mutate, SWRConfig } from "swr";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { noteDirty } from "@/app/_components/form/leave-guard";
import { ChangesButton, YouLink } from "@/app/_components/shell/header";
import { RoleProvider } from "@/app/_components/shell/role";
import { CountersProvider, refreshCounters } from "@/app/_components/shell/navigation/counters";
import {
  EnvironmentProvider,
  EnvironmentStrip,
  EnvironmentSwitch,
  TellEnvironment,
} from "@/app/_components/shell/bars/environment";
import { OnDemand } from "@/app/_components/shell/on-demand";
import { OfflineBar } from "@/app/_components/shell/bars/offline-bar";
import { announceSignOut } from "@/app/_components/shell/session/session";
import { SessionWatch } from "@/app/_components/shell/session/session-watch";
import { type Setup, SetupNotices } from "@/app/_components/shell/bars/setup-notices";
import { SetupSentences } from "@/app/_components/shell/bars/setup-sentences";
import { Shortcuts } from "@/app/_components/shell/shortcuts";
import { RefusalNotice } from "@/app/_components/shell/bars/refusal-notice";
import { SideNavigation } from "@/app/_components/shell/navigation/side-navigation";
import { SignInDialog } from "@/app/_components/shell/session/sign-in-dialog";
import { UpdateBar } from "@/app/_components/shell/bars/update-bar";
import { get, post } from "@/lib/platform/http/client";
import type { CountersAnswer } from "@/lib/console/answer-schema";

const at = { pathname: "/functionalgroups", query: new URLSearchParams() };
const router = { push: vi.fn(), replace: vi.fn(), refresh: vi.fn() };
vi.mock("next/navigation", async (original) => ({
  ...(await original<object>()),
  usePathname: () => at.pathname,
  useSearchParams: () => at.query,
  useRouter: () => router,
}));

const loadPage = vi.hoisted(() => vi.fn<(path: string) => void>());
vi.mock("@/app/_components/shell/navigation/load-page", () => ({ loadPage }));

const counters: CountersAnswer = {
  pending_applications: 3,
  waiting_approvals: 0,
  modified_groups: 0,
  unmapped_rpcs: 1,
  unmapped_parameters: 0,
  modified_messages: 0,
  modified_vehicle_data: 0,
  is_module_config_modified: true,
  unpublished_changes: 1,
  refused_tables: { staging: null, production: null },
  unreadable_applications: 0,
  failed_tasks: 0,
};
const send = vi.fn<typeof fetch>();
const answer = (data: unknown, code = 200) =>
  Promise.resolve(Response.json({ meta: { request_id: "x", code, message: null }, data }, { status: code }));

function visit(pathname: string, query = "") {
  Object.assign(at, { pathname, query: new URLSearchParams(query) });
}
beforeEach(() => {
  visit("/functionalgroups");
  vi.stubGlobal("fetch", send);
});
afterEach(async () => {
  cleanup();
  await mutate(() => true, undefined, { revalidate: false });
  localStorage.clear();
  vi.unstubAllGlobals();
  vi.resetAllMocks();
});

describe("finding A1: a table that head units would refuse", () => {
  const show = (refused_tables: CountersAnswer["refused_tables"]) =>
    render(
      <CountersProvider first={{ ...counters, refused_tables }}>
        <RefusalNotice />
      </CountersProvider>,
    );

  it("is one line on every page that leads to the reasons", () => {
    const message = "A head unit refuses the whole update: too many groups.";
    show({ staging: { count: 2, message, path: "functional_groupings" }, production: null });
    expect(screen.getByRole("note")).toHaveTextContent(`Head units would refuse the staging table: ${message}`);
    expect(screen.getByRole("link", { name: "View all 2 problems" })).toHaveAttribute(
      "href",
      "/policytable?environment=staging#findings",
    );
  });

  it("is not spoken of where there is none", () => {
    show({ staging: null, production: null });
    expect(screen.queryByRole("note")).not.toBeInTheDocument();
  });
});

describe("side navigation", () => {
  const show = (first: CountersAnswer | null = counters) =>
    render(
      <SWRConfig value={{ dedupingInterval: 0 }}>
        <CountersProvider first={first}>
          <SideNavigation version="1.2.3" />
        </CountersProvider>
      </SWRConfig>,
    );
  const links = () => screen.getAllByRole("link").map((link) => link.getAttribute("href"));

  it("leads to the sections and marks the present one, its inner pages included", () => {
    visit("/functionalgroups/manage");
    show(null);
    expect(links()).toEqual([
      "/",
      "/applications",
      "/policytable",
      "/functionalgroups",
      "/consumermessages",
      "/vehicledata",
      "/moduleconfig",
      "/releases",
      "/activity",
      "/exchange",
      "/about",
      "/docs",
    ]);
    expect(screen.getByRole("link", { current: "page" })).toHaveTextContent("Functional groups");
  });

  it("shows what waits at once, spoken in full, as links of their own", () => {
    send.mockImplementation(() => answer(counters));
    show();
    expect(screen.getByRole("link", { name: "3 pending applications" })).toHaveTextContent("3");
    expect(screen.getByRole("link", { name: /1 RPC and 0 parameters/ })).toHaveAttribute(
      "href",
      "/functionalgroups?environment=production&panel=unmapped",
    );
    expect(screen.getByRole("link", { name: "Saved changes not in production" })).toBeVisible();
    expect(send).not.toHaveBeenCalled();
  });

  it("asks again after a change, and stays silent about failures", async () => {
    show();
    send.mockImplementationOnce(() => answer({ ...counters, pending_applications: 2 }));
    act(() => {
      refreshCounters();
    });
    await screen.findByRole("link", { name: "2 pending applications" });
    send.mockImplementation(() => answer({}, 503));
    act(() => {
      refreshCounters();
    });
    await vi.waitFor(() => expect(send).toHaveBeenCalledTimes(2));
    await act(() => Promise.resolve());
    expect(screen.getByRole("link", { name: "2 pending applications" })).toBeVisible();
    expect(screen.queryByRole("alert")).not.toBeInTheDocument();
  });
});

describe("L5: changes that are not in production", () => {
  const show = (unpublished_changes: number) =>
    render(
      <CountersProvider first={{ ...counters, unpublished_changes }}>
        <ChangesButton />
      </CountersProvider>,
    );

  it("are counted on every page, with a way to their review", () => {
    show(12);
    expect(screen.getByRole("link", { name: "12 changes not in production" })).toHaveAttribute("href", "/changes");
  });

  it("are spoken of as one, and not at all where there is none", () => {
    show(1);
    expect(screen.getByRole("link", { name: "1 change not in production" })).toBeVisible();
    cleanup();
    show(0);
    expect(screen.queryByRole("link")).not.toBeInTheDocument();
  });
});

describe("P16: the reader, by name and role", () => {
  const show = (name: string | null) =>
    render(
      <RoleProvider role="publisher">
        <YouLink reader={{ name, nameless: "Shared password" }} />
      </RoleProvider>,
    );
  const link = () => screen.getByRole("link");

  it("is named on every page, which leads to their own", () => {
    show("Paula Publisher");
    expect(link()).toHaveAccessibleName("Paula Publisher publisher");
    expect(link()).toHaveAttribute("href", "/you");
  });

  it("has the display name of the browser where the server knows none, but not in place of one that it knows", () => {
    show(null);
    expect(link()).toHaveAccessibleName("Shared password publisher");
    cleanup();
    localStorage.setItem("preference:displayName", "Ann");
    show(null);
    expect(link()).toHaveAccessibleName("Ann publisher");
    cleanup();
    show("Paula");
    expect(link()).toHaveAccessibleName("Paula publisher");
  });
});

describe("environment (1.2)", () => {
  const show = (told?: "staging" | "production") =>
    render(
      <EnvironmentProvider>
        <EnvironmentSwitch />
        <EnvironmentStrip />
        {told && <TellEnvironment environment={told} />}
        <OnDemand />
      </EnvironmentProvider>,
    );
  const link = (name: string) => screen.getByRole("link", { name });
  const button = (name: string) => screen.getByRole("button", { name });

  it("begins with staging and says so in words", () => {
    show();
    expect(link("Staging")).toHaveAttribute("aria-current", "true");
    expect(link("Production")).not.toHaveAttribute("aria-current");
    expect(screen.getByText("Staging", { selector: "strong" })).toBeVisible();
  });

  it("follows the address in any letter case", () => {
    visit("/consumermessages", "environment=PRODUCTION");
    show();
    expect(link("Production")).toHaveAttribute("aria-current", "true");
    expect(screen.getByText("Production · read-only")).toBeVisible();
  });

  it("switches by the address: filters stay, the place in the list does not", () => {
    visit("/functionalgroups", "q=speed&after=xyz");
    show();
    expect(link("Production")).toHaveAttribute("href", "/functionalgroups?q=speed&environment=production");
  });

  it("asks when there are unsaved changes", async () => {
    noteDirty("module", true);
    visit("/moduleconfig");
    show();
    await userEvent.click(link("Production"));
    expect(await screen.findByRole("alertdialog", { name: "Leave unsaved changes?" })).toBeVisible();
    expect(router.push).not.toHaveBeenCalled();
    await userEvent.click(button("Stay"));
    await userEvent.click(link("Production"));
    await userEvent.click(await screen.findByRole("button", { name: "Leave as draft" }));
    await vi.waitFor(() => expect(router.push).toHaveBeenCalledExactlyOnceWith("/moduleconfig?environment=production"));
    noteDirty("module", false);
  });

  it("is told, and not switched, on pages of one item; other pages have none", () => {
    visit("/functionalgroups/manage", "id=3");
    show("production");
    expect(screen.queryByRole("group", { name: "Environment" })).not.toBeInTheDocument();
    expect(screen.getByText("Production · read-only")).toBeVisible();
    cleanup();
    visit("/applications");
    show();
    expect(screen.queryByRole("link")).not.toBeInTheDocument();
    expect(screen.queryByText(/Staging|Production/)).not.toBeInTheDocument();
  });
});

describe("shortcuts (1.2)", () => {
  it("go to a section with g and its letter, but not out of a field", async () => {
    render(
      <>
        <input aria-label="Field" />
        <Shortcuts />
      </>,
    );
    await userEvent.keyboard("gm");
    expect(router.push).toHaveBeenCalledExactlyOnceWith("/moduleconfig");
    await userEvent.keyboard("a");
    await userEvent.type(screen.getByRole("textbox"), "ga");
    expect(router.push).toHaveBeenCalledOnce();
    await userEvent.tab();
    await userEvent.keyboard("ghgy");
    expect(router.push.mock.calls.slice(1)).toEqual([["/"], ["/you"]]);
  });

  it("are listed with ?, and can be switched off", async () => {
    render(<Shortcuts />);
    await userEvent.keyboard("?");
    const help = await screen.findByRole("dialog", { name: "Keyboard shortcuts" });
    expect(help).toHaveTextContent(/Applications.*g.*a/);
    await userEvent.click(within(help).getByRole("switch", { name: "Single keys" }));
    await userEvent.keyboard("{Escape}");
    await vi.waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
    await userEvent.keyboard("ga?");
    expect(router.push).not.toHaveBeenCalled();
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  });
});

describe("session (2.1)", () => {
  const hour = 3_600_000;
  beforeEach(() => {
    vi.useFakeTimers({ now: 0, shouldAdvanceTime: true });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("warns a minute before the end, and lets the reader stay", async () => {
    render(
      <>
        <SessionWatch endsAt={hour} />
        <SignInDialog />
      </>,
    );
    await act(() => vi.advanceTimersByTimeAsync(hour - 61_000));
    expect(screen.queryByText(/ends within a minute/)).not.toBeInTheDocument();
    await act(() => vi.advanceTimersByTimeAsync(1000));
    expect(screen.getByRole("status")).toHaveTextContent("Your session ends within a minute.");
    await userEvent.click(screen.getByRole("button", { name: "Stay signed in" }));
    expect(await screen.findByRole("dialog", { name: "Sign in again" })).toBeVisible();
  });

  it("finding B5: is not disturbed where the session has been used elsewhere", async () => {
    send.mockImplementation(() => answer({ ends_ts: new Date(2 * hour).toISOString() }));
    render(<SessionWatch endsAt={hour} />);
    await act(() => vi.advanceTimersByTimeAsync(hour - 60_000));
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(send).toHaveBeenCalledExactlyOnceWith("/api/v1/ui/session", { method: "GET" });
    expect(screen.queryByText(/ends within a minute/)).not.toBeInTheDocument();
    await act(() => vi.advanceTimersByTimeAsync(hour - 60_000));
    expect(screen.getByText(/ends within a minute/)).toBeVisible();
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(loadPage).toHaveBeenCalledExactlyOnceWith("/login?redirect=%2F");
  });

  it("finding B5: goes on for whoever says that they are there, without the password", async () => {
    render(
      <>
        <SessionWatch endsAt={hour} />
        <SignInDialog />
      </>,
    );
    await act(() => vi.advanceTimersByTimeAsync(hour - 60_000));
    send.mockImplementation(() => answer({ ends_ts: new Date(2 * hour).toISOString() }));
    await userEvent.click(screen.getByRole("button", { name: "Stay signed in" }));
    await vi.waitFor(() => expect(screen.queryByText(/ends within a minute/)).not.toBeInTheDocument());
    expect(send.mock.lastCall).toMatchObject(["/api/v1/ui/session", { method: "POST" }]);
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  });

  it("leads to the login page at the end, and back from there", async () => {
    render(<SessionWatch endsAt={hour} />);
    await act(() => vi.advanceTimersByTimeAsync(hour));
    expect(loadPage).toHaveBeenCalledExactlyOnceWith("/login?redirect=%2F");
  });

  it("7: keeps unsaved changes at the end", async () => {
    noteDirty("item", true);
    render(
      <>
        <SessionWatch endsAt={hour} />
        <SignInDialog />
      </>,
    );
    await act(() => vi.advanceTimersByTimeAsync(hour));
    expect(await screen.findByRole("dialog", { name: "Sign in again" })).toBeVisible();
    expect(loadPage).not.toHaveBeenCalled();
    noteDirty("item", false);
  });

  it("a read that is refused for want of a session leads to the login page", async () => {
    send.mockImplementation(() => answer(null, 401));
    render(<SignInDialog />);
    await expect(get("/api/v1/about")).rejects.toThrow();
    expect(loadPage).toHaveBeenCalledExactlyOnceWith("/login?redirect=%2F");
  });

  it("refused counters stay silent", async () => {
    send.mockImplementation(() => answer(null, 401));
    render(
      <>
        <SignInDialog />
        <CountersProvider first={null}>pages</CountersProvider>
      </>,
    );
    await vi.waitFor(() => expect(send).toHaveBeenCalled());
    await act(() => vi.advanceTimersByTimeAsync(1000));
    expect(loadPage).not.toHaveBeenCalled();
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  });

  it("an act that is refused for want of a session asks over the page, and is repeated", async () => {
    send.mockImplementationOnce(() => answer(null, 401));
    render(<SignInDialog />);
    const act = post("/api/v1/groups/promote", { arg: { id: 1 } });
    await screen.findByRole("dialog", { name: "Sign in again" });
    send.mockImplementation(() => answer({ isDone: true }));
    await userEvent.type(screen.getByLabelText("Password"), "right{Enter}");
    expect(await act).toEqual({ isDone: true });
    expect(send.mock.calls.map(([url]) => url)).toEqual([
      "/api/v1/groups/promote",
      "/api/v1/login",
      "/api/v1/groups/promote",
    ]);
  });

  it("follows when another tab signs out", async () => {
    render(<SessionWatch endsAt={hour} />);
    announceSignOut();
    await vi.waitFor(() => expect(loadPage).toHaveBeenCalledExactlyOnceWith("/login?redirect=%2F"));
  });
});

const Notices = ({ setup, hidden }: { setup: Setup; hidden: string }) => (
  <SetupNotices {...setup} hidden={hidden}>
    <SetupSentences {...setup} />
  </SetupNotices>
);

describe("bars and notices", () => {
  it("says that there is no connection", () => {
    vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    render(<OfflineBar />);
    expect(screen.getByRole("status")).toHaveTextContent("No connection.");
    vi.restoreAllMocks();
  });

  it("tells of a newer version until that is put away", async () => {
    const update_page = "https://example.com/releases/1.3.0";
    const update = { is_update_available: true, update_type: "minor", latest_version: "1.3.0", update_page };
    send.mockImplementation(() => answer(update));
    render(<UpdateBar />);
    expect(await screen.findByRole("note")).toHaveTextContent("Version 1.3.0 is available (minor update).");
    const link = screen.getByRole("link", { name: "Read about it (new tab)" });
    expect(link).toHaveAttribute("href", update_page);
    expect(link).toHaveAttribute("target", "_blank");
    await userEvent.click(screen.getByRole("button", { name: /Hide/ }));
    expect(screen.queryByRole("note")).not.toBeInTheDocument();
  });

  it("finding E5: is one line from the second time on, which opens, and is whole again when something is added", async () => {
    const two = { isOpen: true, isEmbedded: true, isExampleDirectory: false, isPlainAddress: false };
    const { unmount } = render(<Notices setup={two} hidden="" />);
    expect(screen.getByRole("note")).toHaveTextContent(/No password.*embedded database/);
    const [, seen = ""] = /hidden-notices=([^;]*)/.exec(document.cookie) ?? [];
    unmount();
    const second = render(<Notices setup={two} hidden={seen} />);
    expect(screen.getByRole("note")).toHaveTextContent(/^Not set up for production$/);
    await userEvent.click(screen.getByRole("button", { name: /^Not set up/, expanded: false }));
    expect(screen.getByRole("note")).toHaveTextContent(/No password/);
    second.unmount();
    render(<Notices setup={{ ...two, isExampleDirectory: true }} hidden={seen} />);
    expect(screen.getByRole("note")).toHaveTextContent(/example directory/);
  });

  it("names what must not stay so in production, until it is put away in this browser", async () => {
    const all = { isOpen: true, isEmbedded: true, isExampleDirectory: true, isPlainAddress: true };
    render(<Notices setup={all} hidden="" />);
    const notice = screen.getByRole("note");
    expect(notice).toHaveTextContent(
      /No password.*embedded database.*example directory.*Phones ask by HTTPS on this port, whatever is announced/,
    );
    await userEvent.click(within(notice).getByRole("button"));
    expect(screen.queryByRole("note")).not.toBeInTheDocument();
    const [, hidden = ""] = /hidden-notices=([^;]*)/.exec(document.cookie) ?? [];
    cleanup();
    render(<Notices setup={all} hidden={hidden} />);
    expect(screen.queryByRole("note")).not.toBeInTheDocument();
    cleanup();
    render(<Notices setup={all} hidden="isEmbedded" />);
    expect(screen.getByRole("note")).toHaveTextContent(/No password/);
    cleanup();
    render(
      <Notices
        setup={{ isOpen: false, isEmbedded: false, isExampleDirectory: false, isPlainAddress: false }}
        hidden=""
      />,
    );
    expect(screen.queryByRole("note")).not.toBeInTheDocument();
  });
});
