import { act, cleanup, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { SWRConfig } from "swr";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { noteDirty } from "@/app/_components/form/leave-guard";
import { ChangesButton, YouLink } from "@/app/_components/shell/header";
import { RoleProvider } from "@/app/_components/shell/role";
import { CountersProvider, refreshCounters } from "@/app/_components/shell/navigation/counters";
import { EnvironmentProvider, EnvironmentStrip, ReportEnvironment } from "@/app/_components/shell/bars/environment";
import { OfflineBar } from "@/app/_components/shell/bars/offline-bar";
import { announceSignOut } from "@/app/_components/shell/session/session";
import { PageError } from "@/app/_components/feedback/page-error";
import { ReaderWatch } from "@/app/_components/shell/session/reader-watch";
import { SessionWatch } from "@/app/_components/shell/session/session-watch";
import { type Setup, SetupNotices } from "@/app/_components/shell/bars/setup-notices";
import { SetupSentences } from "@/app/_components/shell/bars/setup-sentences";
import { RefusalNotice } from "@/app/_components/shell/bars/refusal-notice";
import { SideNavigation } from "@/app/_components/shell/navigation/side-navigation";
import { SignInDialog } from "@/app/_components/shell/session/sign-in-dialog";
import { get } from "@/lib/platform/http/client";
import type { CountersAnswer } from "@/app/_console/answer-schema";
import { noCounters } from "@/test/support/console-stubs";
import { goTo, router } from "@/test/support/navigation";
import { api, expectLink, link, press } from "@/test/support/page";

const loadPage = vi.hoisted(() => vi.fn<(path: string) => void>());
vi.mock("@/app/_components/shell/navigation/load-page", () => ({ loadPage }));

const counters: CountersAnswer = {
  ...noCounters,
  ...{ pending_applications: 3, unmapped_rpcs: 1, is_module_config_modified: true, unpublished_changes: 1 },
};
const away = { status: 503, message: "Service unavailable" };

const visit = (pathname: string, query = "") => goTo(`${pathname}?${query}`);

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
    expectLink("View all 2 problems", "/policytable?environment=staging#findings");
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
      "/fleet",
      "/activity",
      "/exchange",
      "/about",
      "/docs",
    ]);
    expect(screen.getByRole("link", { current: "page" })).toHaveTextContent("Functional groups");
  });

  it("shows what waits at once, spoken in full, as links of their own", () => {
    show();
    expect(link("3 pending applications")).toHaveTextContent("3");
    expectLink(/1 RPC and 0 parameters/, "/functionalgroups?environment=production&panel=unmapped");
    expect(link("Saved changes not in production")).toBeVisible();
    expect(api.reads).toEqual([]);
  });

  it("asks again after a change, and stays silent about failures", async () => {
    show();
    api.answer = () => ({ data: { ...counters, pending_applications: 2 } });
    act(refreshCounters);
    await screen.findByRole("link", { name: "2 pending applications" });
    api.answer = () => away;
    act(refreshCounters);
    await vi.waitFor(() => expect(api.reads).toHaveLength(2));
    await act(() => Promise.resolve());
    expect(link("2 pending applications")).toBeVisible();
    expect(screen.queryByRole("alert")).not.toBeInTheDocument();
  });
});

it("L5: changes that are not in production are counted on every page, with a way to their review", () => {
  const show = (unpublished_changes: number) => {
    cleanup();
    render(
      <CountersProvider first={{ ...counters, unpublished_changes }}>
        <ChangesButton />
      </CountersProvider>,
    );
  };
  show(12);
  expectLink("12 changes not in production", "/changes");
  show(1);
  expect(link("1 change not in production")).toBeVisible();
  show(0);
  expect(screen.queryByRole("link")).not.toBeInTheDocument();
});

it("P16: the reader is named on every page, by the display name of the browser where the server knows none", () => {
  const show = (name: string | null) => {
    cleanup();
    render(
      <RoleProvider role="publisher">
        <YouLink reader={{ name }} />
      </RoleProvider>,
    );
    return screen.getByRole("link");
  };
  expect(show(null)).toHaveAccessibleName("publisher");
  localStorage.setItem("preference:displayName", "Ann");
  expect(show(null)).toHaveAccessibleName("Ann publisher");
  expect(show("Paula")).toHaveAccessibleName("Paula publisher");
  expect(screen.getByRole("link")).toHaveAttribute("href", "/you");
});

describe("U13: the caller turns out to be another one", () => {
  const ann = { id: "oidc|a|ann", name: "Ann", role: "publisher" } as const;
  const show = (reader: CountersAnswer["reader"]) =>
    render(
      <RoleProvider role="publisher" readerId={ann.id}>
        <CountersProvider first={{ ...counters, reader }}>
          <ReaderWatch name={ann.name} />
        </CountersProvider>
      </RoleProvider>,
    );

  it.each<[string, CountersAnswer["reader"]]>([
    ["by another role", { ...ann, role: "viewer" }],
    ["by another person", { ...ann, id: "oidc|a|bob" }],
    ["by another name", { ...ann, name: "Anna" }],
  ])("%s: what all pages share is loaded again, once", (_, reader) => {
    show(reader);
    expect(router.refresh).toHaveBeenCalledOnce();
  });

  it.each([[ann], [null]])("not by the same: %j", (reader) => {
    show(reader);
    expect(router.refresh).not.toHaveBeenCalled();
  });
});

describe("U13: a page that failed", () => {
  const show = () => {
    const retry = vi.fn();
    render(<PageError error={null} retry={retry} />);
    return retry;
  };
  beforeEach(() => {
    vi.useFakeTimers();
    return () => vi.useRealTimers();
  });

  it("tries again by itself once the server reads its database again, and later if that was in vain", async () => {
    api.answer = () => away;
    const retry = show();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(api.reads.length).toBeGreaterThan(0);
    expect(retry).not.toHaveBeenCalled();
    api.answer = () => ({ data: counters });
    await vi.advanceTimersByTimeAsync(5000);
    expect(retry).toHaveBeenCalledOnce();
    cleanup();
    const next = show();
    await vi.advanceTimersByTimeAsync(50_000);
    expect(next).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(next).toHaveBeenCalledOnce();
  });
});

describe("environment (1.2)", () => {
  const show = (told?: "staging" | "production") =>
    render(
      <EnvironmentProvider>
        <EnvironmentStrip />
        {told && <ReportEnvironment environment={told} />}
      </EnvironmentProvider>,
    );

  it("begins with staging and says so in words", () => {
    visit("/functionalgroups");
    show();
    expect(link("Staging")).toHaveAttribute("aria-current", "true");
    expect(link("Production")).not.toHaveAttribute("aria-current");
    expect(screen.getByText(/^Changes are saved here/)).toBeVisible();
  });

  it("follows the address in any letter case", () => {
    visit("/consumermessages", "environment=PRODUCTION");
    show();
    expect(link("Production")).toHaveAttribute("aria-current", "true");
    expect(screen.getByText("Read-only")).toBeVisible();
  });

  it("switches by the address: filters stay, the place in the list does not", () => {
    visit("/functionalgroups", "q=speed&after=xyz");
    show();
    expect(link("Production")).toHaveAttribute("href", "/functionalgroups?q=speed&environment=production");
  });

  it("is told, and not switched, on pages of one item; other pages have none", () => {
    visit("/functionalgroups/manage", "id=3");
    show("production");
    expect(screen.queryByRole("group", { name: "Environment" })).not.toBeInTheDocument();
    expect(screen.getByText("Production", { selector: "strong" })).toBeVisible();
    expect(screen.getByText("Read-only")).toBeVisible();
    cleanup();
    visit("/applications");
    show();
    expect(screen.queryByRole("link")).not.toBeInTheDocument();
    expect(screen.queryByText(/Staging|Production/)).not.toBeInTheDocument();
  });
});

describe("session (2.1)", () => {
  const hour = 3_600_000;
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  const watch = () =>
    render(
      <>
        <SessionWatch endsAt={hour} />
        <SignInDialog />
      </>,
    );
  const extended = () => ({ data: { ends_ts: new Date(2 * hour).toISOString() } });
  const expectLogin = () => expect(loadPage).toHaveBeenCalledExactlyOnceWith("/login?redirect=%2F");
  beforeEach(() => {
    vi.useFakeTimers({ now: 0, shouldAdvanceTime: true });
    api.answer = () => away;
  });

  it("warns a minute before the end, and lets the reader stay", async () => {
    watch();
    await pass(hour - 61_000);
    expect(screen.queryByText(/ends within a minute/)).not.toBeInTheDocument();
    await pass(1000);
    expect(screen.getByRole("status")).toHaveTextContent("Your session ends within a minute.");
    await press("Stay signed in");
    expect(await screen.findByRole("dialog", { name: "Sign in again" })).toBeVisible();
  });

  it("finding B5: is not disturbed where the session has been used elsewhere", async () => {
    api.answer = extended;
    watch();
    await pass(hour - 60_000);
    await pass(60_000);
    expect(api.reads).toEqual(["/api/v1/ui/session"]);
    expect(screen.queryByText(/ends within a minute/)).not.toBeInTheDocument();
    await pass(hour - 60_000);
    expect(screen.getByText(/ends within a minute/)).toBeVisible();
    await pass(60_000);
    expectLogin();
  });

  it("finding B5: goes on for whoever says that they are there, without the password", async () => {
    watch();
    await pass(hour - 60_000);
    api.answer = extended;
    await press("Stay signed in");
    await vi.waitFor(() => expect(screen.queryByText(/ends within a minute/)).not.toBeInTheDocument());
    expect(api.sent).toMatchObject([{ method: "POST", path: "/api/v1/ui/session" }]);
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  });

  it("leads to the login page at the end, and back from there", async () => {
    watch();
    await pass(hour);
    expectLogin();
  });

  it("7: keeps unsaved changes at the end", async () => {
    noteDirty("item", true);
    watch();
    await pass(hour);
    expect(await screen.findByRole("dialog", { name: "Sign in again" })).toBeVisible();
    expect(loadPage).not.toHaveBeenCalled();
    noteDirty("item", false);
  });

  it("a read that is refused for want of a session leads to the login page", async () => {
    api.answer = () => ({ status: 401, message: "Sign in" });
    render(<SignInDialog />);
    await expect(get("/api/v1/about")).rejects.toThrow();
    expectLogin();
  });

  it("refused counters stay silent", async () => {
    api.answer = () => ({ status: 401, message: "Sign in" });
    render(
      <>
        <SignInDialog />
        <CountersProvider first={null}>pages</CountersProvider>
      </>,
    );
    await vi.waitFor(() => expect(api.reads).not.toEqual([]));
    await pass(1000);
    expect(loadPage).not.toHaveBeenCalled();
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  });

  it("follows when another tab signs out", async () => {
    watch();
    announceSignOut();
    await vi.waitFor(expectLogin);
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
  });

  it("finding E5: is one line from the second time on, which opens, and is whole again when something is added", async () => {
    const two = { isOpen: true, isEmbedded: true, isExampleDirectory: false, isPlainAddress: false };
    const { unmount } = render(<Notices setup={two} hidden="" />);
    expect(screen.getByRole("note")).toHaveTextContent(/No password.*embedded database/);
    const [, seen = ""] = /hidden-notices=([^;]*)/.exec(document.cookie) ?? [];
    unmount();
    const second = render(<Notices setup={two} hidden={seen} />);
    expect(screen.getByRole("note")).toHaveTextContent(/^Not ready for production: no password$/);
    await userEvent.click(screen.getByRole("button", { name: /^Not ready/, expanded: false }));
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
    await userEvent.click(within(notice).getByRole("button", { name: "Hide in this browser" }));
    expect(screen.queryByRole("note")).not.toBeInTheDocument();
    const [, hidden = ""] = /hidden-notices=([^;]*)/.exec(document.cookie) ?? [];
    cleanup();
    render(<Notices setup={all} hidden={hidden} />);
    expect(screen.queryByRole("note")).not.toBeInTheDocument();
    cleanup();
    render(<Notices setup={all} hidden="isEmbedded" />);
    expect(screen.getByRole("note")).toHaveTextContent(/No password/);
    cleanup();
    const nothing = { isOpen: false, isEmbedded: false, isExampleDirectory: false, isPlainAddress: false };
    render(<Notices setup={nothing} hidden="" />);
    expect(screen.queryByRole("note")).not.toBeInTheDocument();
  });
});
