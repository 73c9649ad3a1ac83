import { render, screen, within } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import YouPage from "@/app/(console)/you/page";
import type { Principal } from "@/lib/platform/auth/principal";
import type { SessionJson, TokenJson } from "@/lib/platform/auth/schema";
import { api, press, question, region } from "@/test/support/page";

const asks = vi.hoisted(() => ({ reader: vi.fn(), sessionEnd: vi.fn(), sessions: vi.fn(), tokens: vi.fn() }));
vi.mock("@/lib/platform/auth/callers/require-page", () => ({
  requirePage: () => Promise.resolve(),
  findReader: asks.reader,
  findPageSessionEnd: asks.sessionEnd,
  findPageSessionId: () => Promise.resolve("s-1"),
}));
vi.mock("@/lib/platform/auth/people/sessions", () => ({ listSessions: asks.sessions }));
vi.mock("@/lib/platform/auth/tokens/queries", () => ({ listTokens: asks.tokens }));

const paula: Principal = {
  ...{ id: "oidc|https://id.example|paula", name: "Paula Publisher", isVerified: true },
  ...{ proof: "session", role: "publisher" },
};
const aSession = (id: string): SessionJson => ({
  ...{ id, person_id: paula.id, name: "Paula Publisher", role: "publisher", role_problem: null },
  ...{ begun_ts: "2026-02-01T08:00:00.000Z", ends_ts: "2026-02-01T20:00:00.000Z", is_current: id === "s-1" },
});
const token: TokenJson = {
  ...{ id: 4, name: "Pipeline", role: "editor", prefix: "abcd1234", created_ts: "2026-02-01T08:00:00.000Z" },
  ...{ created_by: "Paula Publisher", created_by_verified: true, expires_ts: null, is_expired: false },
  last_used_ts: null,
};

beforeEach(() => {
  api.answer = () => ({ data: { session_count: 1 } });
  asks.sessionEnd.mockResolvedValue(Date.now() + 60_000);
  asks.sessions.mockResolvedValue([aSession("s-1"), aSession("s-2")]);
  asks.tokens.mockResolvedValue([token]);
});
async function show(reader: Principal) {
  asks.reader.mockResolvedValue(reader);
  render(await YouPage());
}

it("P17: says who the reader is, how they are known, and what they may do", async () => {
  await show(paula);
  const identity = within(region("Your identity"));
  expect(identity.getByText("Paula Publisher")).toBeVisible();
  expect(identity.getByText("Verified")).toBeVisible();
  expect(identity.getByText("Your sign-in at the identity provider")).toBeVisible();
  const rights = within(region("What you may do"));
  expect(rights.getAllByText("Yes")).toHaveLength(3);
  expect(rights.getByText("Needs admin").closest("li")).toHaveTextContent(/API tokens/);
});

it("P17: lists the reader's own sessions and tokens, and signs out all others at once", async () => {
  await show(paula);
  expect(asks.sessions).toHaveBeenCalledWith({ person: paula.id }, "s-1");
  expect(asks.tokens).toHaveBeenCalledWith({ makerId: paula.id });
  expect(screen.getByRole("row", { name: /Pipeline/ })).toHaveTextContent("ops_abcd1234");
  await press("Sign out other sessions…");
  await press("Sign out other sessions", await question("Sign out of 1 other session?"));
  await vi.waitFor(() => expect(api.sent).toMatchObject([{ method: "DELETE", path: "/api/v1/sessions" }]));
});

it.each([
  ["open", "open", /no sign-in is required/],
  ["password", "session", /shared password: everyone who knows it/],
] as const)("P17: nobody in particular has no sessions and tokens of their own (%s)", async (id, proof, known) => {
  asks.sessionEnd.mockResolvedValue(null);
  await show({ id, name: null, isVerified: false, proof, role: "admin" });
  expect(screen.getByText(known)).toBeVisible();
  expect(screen.getByText('None: your changes are recorded as those of "admin"')).toBeVisible();
  expect(screen.queryByText("Not verified")).not.toBeInTheDocument();
  expect(asks.sessions).not.toHaveBeenCalled();
  expect(screen.queryByRole("region", { name: "Your sessions" })).not.toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Sign out" })).not.toBeInTheDocument();
});
