import { createHash, createPrivateKey, createPublicKey, X509Certificate } from "node:crypto";
import { openPkcs12 } from "@/lib/certificates/worker/pkcs12";

/**
 * A displayable form (`policy-table.md` M10), equal for equal pairs, whose containers differ by their salt. Returns
 * e.g. `PEM, certificate SHA-256 1f…, key SHA-256 a0…`; undefined if absent.
 */
export function showModuleCertificate(value: unknown, passphrase: string | null): unknown {
  if (typeof value !== "string") return value ?? undefined;
  if (value.includes("-----BEGIN ")) return `PEM, ${showPair(value, value)}`;
  try {
    const { certificate, privateKey } = openPkcs12(value, passphrase ?? "");
    return `container, ${showPair(certificate, privateKey)}`;
  } catch {
    return `not readable, SHA-256 ${digest(value.trim())}`;
  }
}

function showPair(certificate: string, privateKey: string): string {
  return `certificate SHA-256 ${signOf(certificate, "CERTIFICATE", readCertificate)}, key SHA-256 ${signOf(privateKey, "[A-Z ]*PRIVATE KEY", readKey)}`;
}

/** Over all blocks of a kind. Unreadable blocks are hashed as text. */
function signOf(pem: string, kind: string, read: (block: string) => Buffer): string {
  const blocks = pem.match(new RegExp(`-----BEGIN ${kind}-----[^-]*-----END ${kind}-----`, "g")) ?? [];
  const bytes = blocks.map((block) => {
    try {
      return read(block);
    } catch {
      return Buffer.from(block.replaceAll(/\s/g, ""));
    }
  });
  return bytes.length === 0 ? "of none" : digest(Buffer.concat(bytes));
}

const readCertificate = (block: string) => new X509Certificate(block).raw;
/** The public key identifies the private key without revealing it. */
const readKey = (block: string) => createPublicKey(createPrivateKey(block)).export({ type: "spki", format: "der" });

const digest = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest("hex").slice(0, 16);
