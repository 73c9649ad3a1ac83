import { expect, it } from "vitest";
import { decideCertificate } from "@/lib/records/module-config/rules";

const now = new Date("2026-01-01T00:00:00Z");
const pair = {
  ...{ subject: "CN=policy.example.com", serialNumber: "01", days: 7, keyFingerprint: "ab" },
  belongsTogether: true,
  expiresAt: new Date("2030-01-01T00:00:00Z"),
};
/** Of so many bytes together with the line break between both (rule M10). */
const decide = (bytes: number) => {
  const privateKey = "key";
  const certificate = "c".repeat(bytes - privateKey.length - 1);
  return decideCertificate({ certificate, private_key: privateKey }, () => pair, now);
};

it("finding A3: refuses a certificate and key that are longer together than head units take", () => {
  expect(decide(65_535)).toMatchObject({ privateKey: "key", expirationTs: pair.expiresAt });
  expect(decide(65_536)).toEqual({
    refusal: "certificate and private_key must not be longer than 65,535 bytes together",
  });
});
