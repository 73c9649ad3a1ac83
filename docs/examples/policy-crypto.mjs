/**
 * An example module for POLICY_CRYPTO_MODULE. It encrypts tables with AES-256-GCM; each text is valid for one environment,
 * one direction and a few minutes.
 *
 * Copy it to `customizable/` and adapt `readKey` to where your site keeps its keys. Here, POLICY_TABLE_KEY_FILE names a file
 * with 32 random bytes that only the server's user can read. While you replace a key, POLICY_TABLE_OLD_KEY_FILE names the
 * previous one: requests may still use it, answers use the new one.
 *
 * A text is `v1.<key id>.<milliseconds since 1970>.<Base64url of iv, tag and encrypted JSON>`. The first three parts, the
 * environment and the direction are authenticated.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";

const version = "v1";
const keyBytes = 32;
const ivBytes = 12;
const tagBytes = 16;
/** How far the clocks of both sides may differ, and how long a request may travel. */
const freshMs = 5 * 60_000;
/** How many requests to remember against replay. Beyond it, requests are refused rather than forgotten. */
const maxRemembered = 200_000;

const current = readKey(process.env.POLICY_TABLE_KEY_FILE, "POLICY_TABLE_KEY_FILE");
const old = process.env.POLICY_TABLE_OLD_KEY_FILE
  ? [readKey(process.env.POLICY_TABLE_OLD_KEY_FILE, "POLICY_TABLE_OLD_KEY_FILE")]
  : [];
const keys = new Map([...old, current].map(({ id, key }) => [id, key]));

/** Fails at the start of the server, not with the first vehicle. */
function readKey(file, name) {
  if (!file) throw new Error(`${name} is not set`);
  const key = readFileSync(file);
  if (key.length !== keyBytes) throw new Error(`${name} must name a file of ${keyBytes} bytes`);
  return { id: createHash("sha256").update(key).digest("hex").slice(0, 16), key };
}

/** What a text is valid for; with any other context it doesn't open. */
const contextOf = (keyId, time, environment, direction) =>
  Buffer.from(JSON.stringify(["policy-table", version, keyId, time, environment, direction]));

/**
 * Encrypts a value. The other side needs this as well, for requests.
 *
 * @param {unknown} value any JSON
 * @param {"staging" | "production"} environment
 * @param {"request" | "answer"} direction
 */
export function seal(value, environment, direction, now = Date.now()) {
  const time = String(now);
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv("aes-256-gcm", current.key, iv, { authTagLength: tagBytes });
  cipher.setAAD(contextOf(current.id, time, environment, direction));
  const text = Buffer.concat([cipher.update(JSON.stringify(value)), cipher.final()]);
  const sealed = Buffer.concat([iv, cipher.getAuthTag(), text]).toString("base64url");
  return [version, current.id, time, sealed].join(".");
}

/** Decrypts the result of `seal`. Its errors are logged, so they contain nothing of the key or the text. */
export function open(text, environment, direction, now = Date.now()) {
  const [textVersion, keyId = "", time = "", sealed = ""] = typeof text === "string" ? text.split(".") : [];
  if (textVersion !== version) throw new Error(`the table is no ${version} text`);
  const key = keys.get(keyId);
  if (!key) throw new Error("the table was sealed with a key that is not known");
  if (!/^\d{1,15}$/.test(time) || Math.abs(now - Number(time)) > freshMs)
    throw new Error("the table is too old or too new");
  const bytes = Buffer.from(sealed, "base64url");
  if (bytes.length < ivBytes + tagBytes) throw new Error("the table was cut off");
  const iv = bytes.subarray(0, ivBytes);
  const decipher = createDecipheriv("aes-256-gcm", key, iv, { authTagLength: tagBytes });
  decipher.setAAD(contextOf(keyId, time, environment, direction));
  decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
  const json = decrypt(decipher, bytes.subarray(ivBytes + tagBytes));
  return { value: JSON.parse(json), id: `${keyId}.${iv.toString("hex")}`, time: Number(time) };
}

function decrypt(decipher, text) {
  try {
    return Buffer.concat([decipher.update(text), decipher.final()]).toString();
  } catch {
    throw new Error("the table was changed on its way, or is meant for another environment or direction");
  }
}

/** Recently accepted requests and until when each could be replayed, oldest first. */
const accepted = new Map();

/** Instances don't share this list: each may accept a request once. */
function requireFirst(id, time, now) {
  for (const [known, until] of accepted) {
    if (until >= now) break;
    accepted.delete(known);
  }
  if (accepted.has(id)) throw new Error("the table was sent before");
  if (accepted.size >= maxRemembered) throw new Error("too many tables within a few minutes");
  // At least as long as its timestamp is valid.
  accepted.set(id, Math.max(now, time) + 2 * freshMs);
}

/** @param {unknown} value what the back end sent as `policy_table` */
export function decryptPolicyTable(value, environment) {
  const { value: table, id, time } = open(value, environment, "request");
  requireFirst(id, time, Date.now());
  return table;
}

/** @param {unknown} data the `data` array of an answer; the result replaces it */
export function encryptPolicyTable(data, environment) {
  return seal(data, environment, "answer");
}
