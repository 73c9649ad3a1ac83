import { act, cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { believeClientHeaders } from "@/lib/platform/http/read/client-address";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { SignOut } from "@/app/(console)/you/sign-out";
import { noteDirty, registerAsker } from "@/app/_components/form/leave-guard";
import { onSignOut } from "@/app/_components/shell/session/session";
import { Toaster } from "@/app/_components/shell/toaster";
import LoginPage from "@/app/(auth)/login/page";
import { forgetSettings, useSettings } from "@/test/support/settings";

const requestHeaders = new Headers();
const router = { replace: vi.fn(), refresh: vi.fn() };
vi.mock("next/headers", () => ({ headers: () => Promise.resolve(requestHeaders) }));
const loadPage = vi.hoisted(() => vi.fn<(path: string) => void>());
vi.mock("@/app/_components/shell/navigation/load-page", () => ({ loadPage }));
vi.mock("next/navigation", async (original) => ({ ...(await original<object>()), useRouter: () => router }));

const password = "open sesame";
const answer = (code: number) =>
  Response.json(
    { meta: { request_id: "x", code, message: code === 200 ? null : "Words of the server" }, data: {} },
    { status: code },
  );
const send = vi.fn<typeof fetch>();

forgetSettings();
beforeEach(() => {
  useSettings({ AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: password });
  vi.stubGlobal("fetch", send);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetAllMocks();
});

async function show(searchParams: Record<string, string | string[]> = {}) {
  render(await LoginPage({ params: Promise.resolve({}), searchParams: Promise.resolve(searchParams) }));
}
async function type(text: string) {
  await userEvent.type(screen.getByLabelText("Password"), text);
  await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
}

describe("login page", () => {
  it("names the server, so that nobody types the password into the wrong one", async () => {
    requestHeaders.set("host", "policy.example:3000");
    await show();
    expect(screen.getByText("policy.example:3000")).toBeVisible();
    requestHeaders.delete("host");
  });

  it("has one field, focused, that password managers know", async () => {
    await show();
    const field = screen.getByLabelText("Password");
    expect(field).toHaveFocus();
    expect(field).toHaveAttribute("type", "password");
    expect(field).toHaveAttribute("autocomplete", "current-password");
    expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent(/^Sign in/);
  });

  it("asks for a name only where the proxy gives none", async () => {
    useSettings({
      AUTH_TYPE: "basic",
      BASIC_AUTH_PASSWORD: password,
      TRUST_PROXY_ADDRESSES: "127.0.0.1",
      AUTH_USER_HEADER: "Remote-User",
    });
    believeClientHeaders();
    await show();
    expect(screen.getByRole("textbox", { name: /Display name/ })).toBeVisible();
    cleanup();
    requestHeaders.set("remote-user", "kim");
    await show();
    requestHeaders.delete("remote-user");
    expect(screen.getByLabelText("Password")).toBeVisible();
    expect(screen.queryByRole("textbox", { name: /Display name/ })).not.toBeInTheDocument();
  });

  it("finding A5: tells whom a proxy names without a role so, and asks for no password that would change nothing", async () => {
    const proxy = { TRUST_PROXY_ADDRESSES: "127.0.0.1", AUTH_USER_HEADER: "Remote-User" };
    const roles = { AUTH_ROLES_HEADER: "Remote-Groups", OIDC_ROLES: "viewer=staff" };
    useSettings({ AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: password, ...proxy, ...roles });
    believeClientHeaders();
    requestHeaders.set("remote-user", "kim");
    requestHeaders.set("remote-groups", "visitors");
    await show();
    expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("No access to the policy server");
    expect(screen.getByText("kim")).toBeVisible();
    expect(screen.getByText("staff")).toBeVisible();
    expect(screen.queryByLabelText("Password")).not.toBeInTheDocument();
    cleanup();
    requestHeaders.set("remote-groups", "staff");
    await expect(show({ redirect: "/a" })).rejects.toMatchObject({ digest: expect.stringContaining(";/a;") });
    for (const name of ["remote-user", "remote-groups"]) requestHeaders.delete(name);
    believeClientHeaders(false);
  });

  it("W6: says why the name that a proxy gives cannot be used", async () => {
    const proxy = { TRUST_PROXY_ADDRESSES: "127.0.0.1", AUTH_USER_HEADER: "Remote-User" };
    useSettings({ AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: password, ...proxy });
    believeClientHeaders();
    requestHeaders.set("remote-user", Buffer.from("k\u00adim").toString("latin1"));
    await show();
    requestHeaders.delete("remote-user");
    believeClientHeaders(false);
    expect(screen.getByText(/remote-user must hold a name in the Unicode form NFKC/)).toBeVisible();
  });

  it("sends the password in a body and goes on to where the reader wanted to go", async () => {
    send.mockResolvedValue(answer(200));
    await show({ redirect: "/groups?environment=staging", next: "/other" });
    await type(password);
    expect(send).toHaveBeenCalledExactlyOnceWith(
      "/api/v1/login",
      expect.objectContaining({ method: "POST", body: JSON.stringify({ password }) }),
    );
    expect(router.replace).toHaveBeenCalledExactlyOnceWith("/groups?environment=staging");
    expect(router.refresh).toHaveBeenCalledOnce();
  });

  it.each(["next", "callbackUrl"])("knows redirect by the name %s, too", async (name) => {
    send.mockResolvedValue(answer(200));
    await show({ [name]: "/about" });
    await type(password);
    expect(router.replace).toHaveBeenCalledExactlyOnceWith("/about");
  });

  it.each(["//evil.example", "https://evil.example", "/login"])("does not go on to %s", async (redirect) => {
    send.mockResolvedValue(answer(200));
    await show({ redirect });
    await type(password);
    expect(router.replace).toHaveBeenCalledExactlyOnceWith("/");
  });

  it.each([
    [401, /wrong/],
    [503, /still starting/],
    [500, /Words of the server/],
  ])("says in words what %i means, and lets the reader try again", async (status, words) => {
    send.mockResolvedValueOnce(answer(status)).mockResolvedValueOnce(answer(200));
    await show();
    await type("guess");
    expect(await screen.findByText(words)).toHaveAttribute("role", "alert");
    expect(screen.getByLabelText("Password")).toBeInvalid();
    expect(screen.getByLabelText("Password")).toHaveFocus();
    expect(screen.getByLabelText("Password")).toHaveValue("guess");
    expect(screen.getByLabelText("Password")).toHaveAccessibleDescription(words);
    expect(router.replace).not.toHaveBeenCalled();
    await userEvent.clear(screen.getByLabelText("Password"));
    await type(password);
    expect(router.replace).toHaveBeenCalledOnce();
  });

  it("counts down after too many attempts, and asks nothing until then", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const refusal = answer(429);
    refusal.headers.set("retry-after", "2");
    send.mockResolvedValueOnce(refusal).mockResolvedValueOnce(answer(200));
    await show();
    await type(password);
    expect(await screen.findByText(/Too many/)).toHaveAttribute("role", "alert");
    expect(screen.getByText("You can try again in 2 s.")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
    expect(send).toHaveBeenCalledOnce();
    await act(() => vi.advanceTimersByTimeAsync(1000));
    expect(screen.getByText("You can try again in 1 s.")).toBeVisible();
    await act(() => vi.advanceTimersByTimeAsync(1000));
    expect(screen.queryByText(/You can try again/)).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
    expect(send).toHaveBeenCalledTimes(2);
    vi.useRealTimers();
  });

  it("shows the password on demand, and tells of Caps Lock", async () => {
    await show();
    const field = screen.getByLabelText("Password");
    await userEvent.click(screen.getByRole("button", { name: "Show password" }));
    expect(field).toHaveAttribute("type", "text");
    expect(screen.getByRole("button", { name: "Show password" })).toHaveAttribute("aria-pressed", "true");
    field.focus();
    await userEvent.keyboard("{CapsLock}a");
    expect(field).toHaveAccessibleDescription(/Caps Lock is on/);
  });

  it("says that the server is away", async () => {
    send.mockRejectedValue(new TypeError("fetch failed"));
    await show();
    await type(password);
    expect(await screen.findByText(/cannot be reached/)).toHaveAttribute("role", "alert");
  });

  it("has nothing to ask where no password is wanted, or where it is known", async () => {
    requestHeaders.set("basic-auth-password", password);
    await expect(show({ redirect: "/a" })).rejects.toMatchObject({ digest: expect.stringContaining(";/a;") });
    requestHeaders.delete("basic-auth-password");
    useSettings();
    await expect(show()).rejects.toMatchObject({ digest: expect.stringContaining(";/;") });
  });
});

describe("signing out", () => {
  async function signOut() {
    render(<SignOut />);
    await userEvent.click(screen.getByRole("button", { name: "Sign out" }));
  }

  it("ends the session, leads to the login page, and other tabs hear of it", async () => {
    const heard = vi.fn();
    const stop = onSignOut(heard);
    send.mockResolvedValue(answer(200));
    await signOut();
    expect(send).toHaveBeenCalledExactlyOnceWith("/api/v1/logout", expect.objectContaining({ method: "POST" }));
    expect(loadPage).toHaveBeenCalledExactlyOnceWith("/login");
    await vi.waitFor(() => expect(heard).toHaveBeenCalledOnce());
    stop();
  });

  it("asks first where something is not saved", async () => {
    noteDirty("item", true);
    const stop = registerAsker(() => Promise.resolve(false));
    await signOut();
    expect(send).not.toHaveBeenCalled();
    expect(loadPage).not.toHaveBeenCalled();
    stop();
    noteDirty("item", false);
  });

  it("says when it did not work", async () => {
    send.mockResolvedValue(answer(403));
    render(<Toaster />);
    await signOut();
    expect(await screen.findByText("Words of the server")).toBeInTheDocument();
    expect(router.replace).not.toHaveBeenCalled();
  });
});
