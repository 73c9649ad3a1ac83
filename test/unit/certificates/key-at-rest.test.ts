import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { isSealedKey, openPrivateKey, sealPrivateKey } from "@/lib/certificates/key-at-rest";

const pem = "-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----\n";
const key = randomBytes(32);

it("finding B11: what is stored does not show the key, and gives it back", () => {
  const sealed = sealPrivateKey(pem, key)!;
  expect(isSealedKey(sealed)).toBe(true);
  expect(sealed).not.toContain("abc");
  expect(Buffer.from(sealed.split(":").at(-1)!, "base64url").toString("latin1")).not.toContain("PRIVATE");
  expect(openPrivateKey(sealed, key)).toBe(pem);
  // Never the same twice: equal texts would tell that two records share a key.
  expect(sealPrivateKey(pem, key)).not.toBe(sealed);
  expect(sealPrivateKey(sealed, key)).toBe(sealed);
});

it("without a key in the settings everything stays as it is", () => {
  expect(sealPrivateKey(pem, null)).toBe(pem);
  expect(openPrivateKey(pem, null)).toBe(pem);
  expect(openPrivateKey(pem, key)).toBe(pem);
  for (const nothing of [null, ""]) {
    expect(sealPrivateKey(nothing, key)).toBe(nothing);
    expect(openPrivateKey(nothing, key)).toBe(nothing);
  }
});

it("says why a key cannot be read, and never what it is", () => {
  const sealed = sealPrivateKey(pem, key)!;
  expect(() => openPrivateKey(sealed, null)).toThrow(/KEY_ENCRYPTION_KEY is not set/);
  expect(() => openPrivateKey(sealed, randomBytes(32))).toThrow(/another KEY_ENCRYPTION_KEY/);
  const at = sealed.length - 3;
  const damaged = sealed.slice(0, at) + (sealed[at] === "A" ? "B" : "A") + sealed.slice(at + 1);
  expect(() => openPrivateKey(damaged, key)).toThrow(/damaged/);
  expect(() => openPrivateKey(sealed.slice(0, 30), key)).toThrow(/damaged/);
});
