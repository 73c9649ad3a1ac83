import { expect, it } from "vitest";
import { buildAuditValue } from "@/lib/platform/db/audit";

it("keeps ids and plain values as they are", () => {
  const value = { ids: [1, 2], status: "ACCEPTED", isBlacklisted: false, message: null };
  expect(buildAuditValue(value)).toEqual(value);
});

it("blanks members that may hold a secret, at any depth", () => {
  const value = { config: { privateKey: "K", certificate: "C", expirationTs: "2026" }, tokens: [{ auth_token: "t" }] };
  expect(buildAuditValue(value)).toEqual({
    config: { privateKey: "[removed]", certificate: "[removed]", expirationTs: "2026" },
    tokens: [{ auth_token: "[removed]" }],
  });
});

it("shows that a secret was absent", () => expect(buildAuditValue({ privateKey: null })).toEqual({ privateKey: null }));

it("blanks texts that look like a key, wherever they stand", () =>
  expect(buildAuditValue(["-----BEGIN RSA PRIVATE KEY-----\nMIIE"])).toEqual(["[removed]"]));

it("cuts long texts", () => expect(buildAuditValue("x".repeat(5000))).toHaveLength(1000));
