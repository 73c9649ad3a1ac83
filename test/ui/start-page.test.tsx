import { cleanup, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import ErrorPage from "@/app/error";
import NotFound from "@/app/not-found";
import StartPage from "@/app/page";
import type { RuntimeStatus } from "@/lib/policy/status";
import { forgetSettings, useSettings } from "@/test/support/settings";

const requestHeaders = new Headers();
vi.mock("next/headers", () => ({ headers: () => Promise.resolve(requestHeaders) }));
// Its library does not work in a simulated browser, whose byte arrays are not those of Node.
vi.mock("@/lib/auth/session-token", () => ({
  decodeSession: (token: string | null) => Promise.resolve(token === "sealed" ? { sub: "administrator" } : null),
}));
vi.mock("next/navigation", async (original) => ({
  ...(await original<object>()),
  useRouter: () => ({ replace: vi.fn(), refresh: vi.fn() }),
}));

const key = Symbol.for("open-policy-server.services");
const shared = globalThis as { [key]?: unknown };

const running: RuntimeStatus = {
  state: "ready",
  revision: 41,
  builtAt: Date.UTC(2026, 2, 9, 14, 5, 11),
  apps: 12,
  groups: { staging: 31, production: 30 },
  messages: { staging: 22, production: 21 },
  database: "embedded",
  lastError: null,
};

forgetSettings();
beforeEach(() => useSettings());
afterEach(() => {
  shared[key] = undefined;
  for (const name of ["basic-auth-password", "cookie", "x-page-path"]) requestHeaders.delete(name);
});

async function show(status: RuntimeStatus | null = running) {
  shared[key] = status && { runtime: { status: () => status } };
  render(await StartPage());
}

/** The value beside a name in the list of facts. */
const fact = (name: string) => screen.getByText(name, { selector: "dt" }).nextElementSibling;

describe("start page", () => {
  it("names the product and shows the policy in service", async () => {
    await show();
    expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Open Policy Server");
    expect(fact("State")).toHaveTextContent("Ready");
    expect(fact("Policy revision")).toHaveTextContent("41");
    expect(fact("Compiled")).toHaveTextContent("2026-03-09 14:05:11 UTC");
    expect(fact("Apps")).toHaveTextContent("12");
    expect(fact("Functional groups")).toHaveTextContent("31 in staging, 30 in production");
    expect(fact("Consumer messages")).toHaveTextContent("22 in staging, 21 in production");
    expect(screen.queryByText("Last problem")).not.toBeInTheDocument();
  });

  it("says what is not for production", async () => {
    await show();
    const notices = screen.getAllByRole("note").map((notice) => notice.textContent);
    expect(notices).toEqual([
      expect.stringContaining("embedded database"),
      expect.stringContaining("example directory"),
      expect.stringContaining("No password"),
    ]);
  });

  it("has nothing to warn of in a full configuration", async () => {
    useSettings({
      MONGODB_URI: "mongodb://db/policy",
      SHAID_PUBLIC_KEY: "p",
      SHAID_SECRET_KEY: "s",
      AUTH_TYPE: "basic",
      BASIC_AUTH_PASSWORD: "open sesame",
    });
    requestHeaders.set("basic-auth-password", "open sesame");
    await show({ ...running, database: "mongodb" });
    expect(screen.queryByRole("note")).not.toBeInTheDocument();
    expect(fact("Database")).toHaveTextContent("MongoDB");
  });

  it("0.6: sends who has no password to the login page, and back to where they wanted to go", async () => {
    useSettings({ AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: "open sesame" });
    await expect(show()).rejects.toMatchObject({ digest: expect.stringContaining(";/login;") });
    requestHeaders.set("x-page-path", "/?a=b");
    await expect(show()).rejects.toMatchObject({ digest: expect.stringContaining(";/login?next=%2F%3Fa%3Db;") });
  });

  it("offers to sign out to who has signed in, and to nobody else", async () => {
    await show();
    expect(screen.queryByRole("button", { name: "Sign out" })).not.toBeInTheDocument();
    cleanup();
    useSettings({ AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: "open sesame" });
    requestHeaders.set("cookie", "next-auth.session-token=sealed");
    await show();
    expect(screen.getByRole("button", { name: "Sign out" })).toBeVisible();
  });

  it("tells of a database that is away, and of a start under way", async () => {
    await show({ ...running, state: "degraded", lastError: "the database cannot be used" });
    expect(fact("State")).toHaveTextContent("Degraded");
    expect(fact("Last problem")).toHaveTextContent("the database cannot be used");
  });

  it("stands before the first policy, and without a runtime", async () => {
    await show({ ...running, state: "starting", revision: null, builtAt: null });
    expect(fact("Policy revision")).toHaveTextContent("none yet");
    expect(fact("Compiled")).toHaveTextContent("not yet");
  });

  it("links to the answers for machines", async () => {
    await show(null);
    const links = within(screen.getByRole("navigation")).getAllByRole("link");
    expect(links.map((link) => link.getAttribute("href"))).toEqual(["/health", "/version", "/api/v1/about"]);
  });
});

describe("pages of last resort", () => {
  it("leads back from an unknown address", () => {
    render(<NotFound />);
    expect(screen.getByRole("link")).toHaveAttribute("href", "/");
  });

  it("offers another try and the reference, but not the text of the error", async () => {
    const retry = vi.fn();
    render(<ErrorPage error={Object.assign(new Error("hush"), { digest: "4711" })} retry={retry} />);
    expect(screen.getByRole("alert")).toHaveTextContent("4711");
    expect(screen.getByRole("alert")).not.toHaveTextContent("hush");
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(retry).toHaveBeenCalledOnce();
  });
});
