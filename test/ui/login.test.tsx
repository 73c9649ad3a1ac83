import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { SignOutButton } from "@/app/_components/sign-out-button";
import LoginPage from "@/app/(auth)/login/page";
import { forgetSettings, useSettings } from "@/test/support/settings";

const requestHeaders = new Headers();
const router = { replace: vi.fn(), refresh: vi.fn() };
vi.mock("next/headers", () => ({ headers: () => Promise.resolve(requestHeaders) }));
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
  it("has one field, focused, that password managers know", async () => {
    await show();
    const field = screen.getByLabelText("Password");
    expect(field).toHaveFocus();
    expect(field).toHaveAttribute("type", "password");
    expect(field).toHaveAttribute("autocomplete", "current-password");
    expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Sign in");
  });

  it("sends the password in a body and goes on to where the reader wanted to go", async () => {
    send.mockResolvedValue(answer(200));
    await show({ next: "/groups?environment=staging" });
    await type(password);
    expect(send).toHaveBeenCalledExactlyOnceWith(
      "/api/v1/login",
      expect.objectContaining({ method: "POST", body: JSON.stringify({ password }) }),
    );
    expect(router.replace).toHaveBeenCalledExactlyOnceWith("/groups?environment=staging");
    expect(router.refresh).toHaveBeenCalledOnce();
  });

  it.each(["//evil.example", "https://evil.example", "/login"])("does not go on to %s", async (next) => {
    send.mockResolvedValue(answer(200));
    await show({ next });
    await type(password);
    expect(router.replace).toHaveBeenCalledExactlyOnceWith("/");
  });

  it.each([
    [401, /wrong/],
    [429, /Wait a minute/],
    [503, /still starting/],
    [500, /Words of the server/],
  ])("says in words what %i means, and lets the reader try again", async (status, words) => {
    send.mockResolvedValueOnce(answer(status)).mockResolvedValueOnce(answer(200));
    await show();
    await type("guess");
    expect(screen.getByRole("alert")).toHaveTextContent(words);
    expect(screen.getByLabelText("Password")).toBeInvalid();
    expect(screen.getByLabelText("Password")).toHaveAccessibleDescription(words);
    expect(router.replace).not.toHaveBeenCalled();
    await type(password);
    expect(router.replace).toHaveBeenCalledOnce();
  });

  it("says that the server is away", async () => {
    send.mockRejectedValue(new TypeError("fetch failed"));
    await show();
    await type(password);
    expect(screen.getByRole("alert")).toHaveTextContent(/cannot be reached/);
  });

  it("has nothing to ask where no password is wanted, or where it is known", async () => {
    requestHeaders.set("basic-auth-password", password);
    await expect(show({ next: "/a" })).rejects.toMatchObject({ digest: expect.stringContaining(";/a;") });
    requestHeaders.delete("basic-auth-password");
    useSettings();
    await expect(show()).rejects.toMatchObject({ digest: expect.stringContaining(";/;") });
  });
});

describe("sign-out button", () => {
  it("ends the session and leads to the login page", async () => {
    send.mockResolvedValue(answer(200));
    render(<SignOutButton />);
    await userEvent.click(screen.getByRole("button", { name: "Sign out" }));
    expect(send).toHaveBeenCalledExactlyOnceWith("/api/v1/logout", expect.objectContaining({ method: "POST" }));
    expect(router.replace).toHaveBeenCalledExactlyOnceWith("/login");
  });

  it("says when it did not work", async () => {
    send.mockResolvedValue(answer(403));
    render(<SignOutButton />);
    await userEvent.click(screen.getByRole("button", { name: "Sign out" }));
    expect(await screen.findByRole("alert")).toHaveTextContent("Words of the server");
    expect(router.replace).not.toHaveBeenCalled();
  });
});
