import { act, cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { believeClientHeaders } from "@/lib/platform/http/read/client-address";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { SignOut } from "@/app/(console)/you/sign-out";
import { onSignOut } from "@/app/_components/shell/session/session";
import { Toaster } from "@/app/_components/shell/toaster";
import type * as requirePage from "@/lib/platform/auth/callers/require-page";
import LoginPage from "@/app/(auth)/login/page";
import { SessionTable } from "@/app/_components/session-table";
import { signIns } from "@/lib/platform/auth/people/sign-ins";
import { useSettings } from "@/test/support/settings";
import { requestHeaders, router } from "@/test/support/navigation";
import { api, button, expectRedirect, field, press } from "@/test/support/page";

const loadPage = vi.hoisted(() => vi.fn<(path: string) => void>());
vi.mock("@/app/_components/shell/navigation/load-page", () => ({ loadPage }));

/** Somebody without a role, by a session that jsdom could not open. */
const known = vi.hoisted(() => ({ id: null as string | null }));
vi.mock("@/lib/platform/auth/callers/require-page", async (original) => {
  const own = await original<typeof requirePage>();
  const reader = { id: "oidc|a|kim", name: "Kim", isVerified: true, proof: "session", role: null };
  return {
    ...own,
    findReader: () => (known.id === null ? own.findReader() : Promise.resolve(reader)),
    findPageSessionId: () => Promise.resolve(known.id),
  };
});

const password = "open sesame";
const basic = { AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: password };
const proxy = { ...basic, TRUST_PROXY_ADDRESSES: "127.0.0.1", AUTH_USER_HEADER: "Remote-User" };
function useProxy(env: Record<string, string> = proxy) {
  useSettings(env);
  believeClientHeaders();
}

beforeEach(() => useSettings(basic));
afterEach(() => believeClientHeaders(false));

async function show(searchParams: Record<string, string> = {}) {
  render(await LoginPage({ params: Promise.resolve({}), searchParams: Promise.resolve(searchParams) }));
}
const passwordField = () => screen.getByLabelText("Password");
async function signIn(text = password) {
  await userEvent.type(passwordField(), text);
  await press("Sign in");
}

describe("login page", () => {
  it("names the server, so that nobody types the password into the wrong one", async () => {
    requestHeaders.set("host", "policy.example:3000");
    await show();
    expect(screen.getByText("policy.example:3000")).toBeVisible();
  });

  it("has one field, focused, that password managers know", async () => {
    await show();
    expect(passwordField()).toHaveFocus();
    expect(passwordField()).toHaveAttribute("type", "password");
    expect(passwordField()).toHaveAttribute("autocomplete", "current-password");
    expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent(/^Sign in/);
  });

  it("asks for a name only where the proxy gives none", async () => {
    useProxy();
    await show();
    expect(field(/Display name/)).toBeVisible();
    cleanup();
    requestHeaders.set("remote-user", "kim");
    await show();
    expect(passwordField()).toBeVisible();
    expect(screen.queryByRole("textbox", { name: /Display name/ })).not.toBeInTheDocument();
  });

  it("finding A5: tells whom a proxy names without a role so, and asks for no password that would change nothing", async () => {
    useProxy({ ...proxy, AUTH_ROLES_HEADER: "Remote-Groups", OIDC_ROLES: "viewer=staff" });
    requestHeaders.set("remote-user", "kim");
    requestHeaders.set("remote-groups", "visitors");
    await show();
    expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("No access to the policy server");
    expect(screen.getByText("kim")).toBeVisible();
    expect(screen.getByText("staff")).toBeVisible();
    expect(
      screen.getByText("For administrators: OIDC_ROLES has none of the groups (1) in the header remote-groups."),
    ).toBeVisible();
    expect(screen.queryByLabelText("Password")).not.toBeInTheDocument();
    cleanup();
    requestHeaders.set("remote-groups", " ; ");
    await show();
    expect(screen.getByText("For administrators: The header remote-groups has no groups.")).toBeVisible();
    cleanup();
    requestHeaders.set("remote-groups", "staff");
    await expectRedirect(show({ redirect: "/a" }), "/a");
  });

  it("P3: tells whom the identity provider gives no role why, for administrators", async () => {
    known.id = "s-1";
    onTestFinished(() => void (known.id = null));
    const own = { person: "oidc|a|kim", name: "Kim", role: null, roleProblem: "The claim groups is missing" };
    signIns().set({ id: "s-1", ...own, dueAt: null, endsAt: new Date(Date.now() + 60_000) });
    await show();
    expect(screen.getByText("For administrators: The claim groups is missing.")).toBeVisible();
    const session = { id: "s", person_id: "p", name: "Kim", role: null, role_problem: "No groups", is_current: true };
    render(
      <SessionTable
        sessions={[{ ...session, begun_ts: "2026-02-01T08:00:00Z", ends_ts: "2026-02-01T20:00:00Z" }]}
        isOwn={false}
      />,
    );
    expect(screen.getByRole("row", { name: /^Kim none ?No groups/ })).toBeVisible();
  });

  it("W6: says why the name that a proxy gives cannot be used", async () => {
    useProxy();
    requestHeaders.set("remote-user", Buffer.from("k\u00adim").toString("latin1"));
    await show();
    expect(screen.getByText(/remote-user must hold a name in the Unicode form NFKC/)).toBeVisible();
  });

  it("sends the password in a body and goes on to where the reader wanted to go", async () => {
    await show({ redirect: "/groups?environment=staging", next: "/other" });
    await signIn();
    expect(api.sent).toEqual([{ method: "POST", path: "/api/v1/login", body: { password } }]);
    expect(router.replace).toHaveBeenCalledExactlyOnceWith("/groups?environment=staging");
    expect(router.refresh).toHaveBeenCalledOnce();
  });

  it.each([
    [{ next: "/about" }, "/about"],
    [{ callbackUrl: "/about" }, "/about"],
    [{ redirect: "//evil.example" }, "/"],
    [{ redirect: "https://evil.example" }, "/"],
    [{ redirect: "/login" }, "/"],
  ])("goes from %j on to %s", async (query, address) => {
    await show(query);
    await signIn();
    expect(router.replace).toHaveBeenCalledExactlyOnceWith(address);
  });

  it.each([
    [401, /wrong/],
    [503, /still starting/],
    [500, /Words of the server/],
  ])("says in words what %i means, and lets the reader try again", async (status, words) => {
    api.answer = () => ({ status, message: "Words of the server" });
    await show();
    await signIn("guess");
    expect(await screen.findByText(words)).toHaveAttribute("role", "alert");
    expect(passwordField()).toBeInvalid();
    expect(passwordField()).toHaveFocus();
    expect(passwordField()).toHaveValue("guess");
    expect(passwordField()).toHaveAccessibleDescription(words);
    expect(router.replace).not.toHaveBeenCalled();
    api.answer = () => ({ data: {} });
    await userEvent.clear(passwordField());
    await signIn();
    expect(router.replace).toHaveBeenCalledOnce();
  });

  it("counts down after too many attempts, and asks nothing until then", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const meta = { request_id: "x", code: 429, message: "Too many" };
    const send = vi.fn(() =>
      Promise.resolve(Response.json({ meta, data: {} }, { status: 429, headers: { "retry-after": "2" } })),
    );
    vi.stubGlobal("fetch", send);
    await show();
    await signIn();
    expect(await screen.findByText(/Too many/)).toHaveAttribute("role", "alert");
    expect(screen.getByText("You can try again in 2 s.")).toBeVisible();
    await press("Sign in");
    expect(send).toHaveBeenCalledOnce();
    await act(() => vi.advanceTimersByTimeAsync(1000));
    expect(screen.getByText("You can try again in 1 s.")).toBeVisible();
    await act(() => vi.advanceTimersByTimeAsync(1000));
    expect(screen.queryByText(/You can try again/)).not.toBeInTheDocument();
    send.mockRejectedValueOnce(new TypeError("fetch failed"));
    await press("Sign in");
    expect(send).toHaveBeenCalledTimes(2);
    expect(await screen.findByText(/cannot be reached/)).toHaveAttribute("role", "alert");
  });

  it("shows the password on demand, and tells of Caps Lock", async () => {
    await show();
    await press("Show password");
    expect(passwordField()).toHaveAttribute("type", "text");
    expect(button("Show password")).toHaveAttribute("aria-pressed", "true");
    passwordField().focus();
    await userEvent.keyboard("{CapsLock}a");
    expect(passwordField()).toHaveAccessibleDescription(/Caps Lock is on/);
  });

  it("has nothing to ask where no password is wanted, or where it is known", async () => {
    requestHeaders.set("basic-auth-password", password);
    await expectRedirect(show({ redirect: "/a" }), "/a");
    requestHeaders.delete("basic-auth-password");
    useSettings();
    await expectRedirect(show(), "/");
  });
});

describe("signing out", () => {
  async function signOut() {
    render(<SignOut />);
    await press("Sign out");
  }

  it("ends the session, leads to the login page, and other tabs hear of it", async () => {
    const heard = vi.fn();
    onTestFinished(onSignOut(heard));
    await signOut();
    expect(api.sent).toMatchObject([{ method: "POST", path: "/api/v1/logout" }]);
    expect(loadPage).toHaveBeenCalledExactlyOnceWith("/login");
    await vi.waitFor(() => expect(heard).toHaveBeenCalledOnce());
  });

  it("says when it did not work", async () => {
    api.answer = () => ({ status: 403, message: "Words of the server" });
    render(<Toaster />);
    await signOut();
    expect(await screen.findByText("Words of the server")).toBeInTheDocument();
    expect(loadPage).not.toHaveBeenCalled();
  });
});
