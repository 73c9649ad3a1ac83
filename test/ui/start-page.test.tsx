import { cleanup, render, screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { PolicyFigures } from "@/app/_components/policy-figures";
import ErrorPage from "@/app/error";
import NotFound from "@/app/not-found";
import OverviewPage from "@/app/(console)/(overview)/page";
import type { RuntimeStatus } from "@/lib/policy/status";
import { useSettings } from "@/test/support/settings";
import { requestHeaders } from "@/test/support/navigation";
import { expectLink, expectRedirect, press } from "@/test/support/page";

// Its library does not work in a simulated browser, whose byte arrays are not those of Node.
vi.mock("@/lib/platform/auth/session-token", () => ({
  decodeSession: (token: string | null) => Promise.resolve(token === "sealed" ? { sub: "administrator" } : null),
}));

const running: RuntimeStatus = {
  ...{ state: "ready", revision: 41, apps: 12, database: "embedded", lastError: null, unexpectedDatabase: null },
  ...{ builtAt: Date.UTC(2026, 2, 9, 14, 5, 11), confirmedAt: Date.UTC(2026, 2, 9, 14, 5, 12) },
  ...{ groups: { staging: 31, production: 30 }, messages: { staging: 22, production: 21 } },
};

const show = (status: RuntimeStatus | null = running) => render(<PolicyFigures status={status} />);
const fact = (name: string) => screen.getByText(name, { selector: "dt" }).nextElementSibling;

it("start page: 0.6: sends who has no password to the login page, and back to where they wanted to go", async () => {
  useSettings({ AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: "open sesame" });
  await expectRedirect(OverviewPage(), "/login");
  requestHeaders.set("x-page-path", "/?a=b");
  await expect(OverviewPage()).rejects.toMatchObject({ digest: expect.stringMatching(/;\/login\?\w+=%2F%3Fa%3Db;/) });
});

describe("figures of the policy in service", () => {
  it("shows state, revision and counts", () => {
    show();
    expect(fact("State")).toHaveTextContent("Ready");
    expect(fact("Policy revision")).toHaveTextContent("41");
    expect(fact("Compiled")).toHaveTextContent("2026-03-09 14:05:11 UTC");
    expect(fact("Apps")).toHaveTextContent("12");
    expect(fact("Functional groups")).toHaveTextContent("31 in staging, 30 in production");
    expect(fact("Consumer messages")).toHaveTextContent("22 in staging, 21 in production");
    expect(screen.queryByText("Last problem")).not.toBeInTheDocument();
  });

  it("tells of a database that is away, and of a start under way", () => {
    show({ ...running, state: "degraded", database: "mongodb", lastError: "the database cannot be used" });
    expect(fact("State")).toHaveTextContent("Degraded");
    expect(fact("Database")).toHaveTextContent("MongoDB");
    expect(fact("Last problem")).toHaveTextContent("the database cannot be used");
  });

  it("stands before the first policy, and without a runtime", () => {
    show({ ...running, state: "starting", revision: null, builtAt: null });
    expect(fact("Policy revision")).toHaveTextContent("none yet");
    expect(fact("Compiled")).toHaveTextContent("not yet");
    cleanup();
    show(null);
    expect(screen.getByText(/is not running/)).toBeVisible();
  });
});

it("pages of last resort: leads back from an unknown address", () => {
  render(<NotFound />);
  expectLink("Applications", "/applications");
  expect(screen.getByRole("searchbox", { name: "Search applications" })).toBeVisible();
});

it("pages of last resort: offers another try and the reference, but not the text of the error", async () => {
  const retry = vi.fn();
  render(<ErrorPage error={Object.assign(new Error("hush"), { digest: "4711" })} retry={retry} />);
  expect(await screen.findByRole("alert")).toHaveTextContent("4711");
  expect(screen.getByRole("alert")).not.toHaveTextContent("hush");
  await press("Retry");
  expect(retry).toHaveBeenCalledOnce();
});

it("N5: About tells what vehicles are served while vehicle workers are at another revision", () => {
  const { rerender } = render(<PolicyFigures status={running} servedRevision={40} />);
  expect(fact("Served to vehicles")).toHaveTextContent("revision 40");
  for (const servedRevision of [running.revision, null]) {
    rerender(<PolicyFigures status={running} servedRevision={servedRevision} />);
    expect(screen.queryByText("Served to vehicles")).not.toBeInTheDocument();
  }
});
