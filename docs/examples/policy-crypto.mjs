/**
 * An example of a module for POLICY_CRYPTO_MODULE: tables travel as AES-256-GCM texts.
 *
 * Copy it to `customizable/`, and have the key come from where your site keeps its keys. Here it is the file named by
 * POLICY_TABLE_KEY_FILE: 32 bytes, readable by the server's user only.
 */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";

const key = readFileSync(process.env.POLICY_TABLE_KEY_FILE);
const ivBytes = 12;
const tagBytes = 16;

/** @param {unknown} value what a vehicle sent as `policy_table`: Base64 of iv, tag and encrypted JSON */
export function decryptPolicyTable(value, _environment) {
  const bytes = Buffer.from(value, "base64");
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, ivBytes));
  decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
  const text = Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]);
  return JSON.parse(text.toString());
}

/** @param {unknown} data the `data` list of an answer; the result takes its place */
export function encryptPolicyTable(data, _environment) {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  const text = Buffer.concat([cipher.update(JSON.stringify(data)), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), text]).toString("base64");
}
