import type { KeyPair } from "@/lib/certificates/worker/key-pair";
import type { ModuleConfigInput } from "@/lib/records/module-config/schema";
import { recordOf, snakeName } from "@/lib/vocabulary/members";
import { refreshCounts } from "@/lib/vocabulary/terms";
import { byteLength } from "@/lib/vocabulary/byte-length";
import { listOwnEndpoints } from "@/lib/policy/table/own-endpoints";
import type { SnapshotModuleConfig } from "@/lib/policy/table/snapshot";

export interface ModuleConfigContent extends Omit<SnapshotModuleConfig, "id" | "status"> {
  readonly expirationTs: Date | null;
}

export interface ModuleConfigRecord extends ModuleConfigContent, Pick<SnapshotModuleConfig, "id" | "status"> {}

export type StoredCertificate = Pick<ModuleConfigContent, "certificate" | "privateKey" | "expirationTs">;

/** Limit of head units for `certificate`, which contains both. */
export const longestCertificateBytes = 65_535;

export const noCertificate: StoredCertificate = { certificate: null, privateKey: null, expirationTs: null };

/** The pair to store, or an error (rows 12 to 15 of `api.md` 13.3). Call it only while generation is enabled. */
export function decideCertificate(
  submitted: { readonly certificate?: unknown; readonly private_key?: unknown },
  readKeyPair: (certificate: string, privateKey: string) => KeyPair | null,
  now: Date,
): StoredCertificate | { readonly refusal: string } {
  const { certificate, private_key: privateKey } = submitted;
  if (isAbsent(certificate) && isAbsent(privateKey)) return noCertificate;
  if (isAbsent(certificate) || isAbsent(privateKey)) {
    return { refusal: "certificate and private_key must be given together" };
  }
  if (byteLength(`${String(certificate)}\n${String(privateKey)}`) > longestCertificateBytes) {
    return { refusal: "certificate and private_key must not be longer than 65,535 bytes together" };
  }
  const isText = typeof certificate === "string" && typeof privateKey === "string";
  const pair = isText ? readKeyPair(certificate, privateKey) : null;
  if (!isText || pair === null) {
    return { refusal: "The certificate and private_key data could not be processed; both must be PEM, the key RSA" };
  }
  if (pair.expiresAt <= now) return { refusal: expiredSentence };
  if (!pair.belongsTogether) return { refusal: "The private key and certificate do not match" };
  return { certificate, privateKey, expirationTs: pair.expiresAt };
}

export function hasCertificate(submitted: { readonly certificate?: unknown; readonly private_key?: unknown }): boolean {
  return !isAbsent(submitted.certificate) || !isAbsent(submitted.private_key);
}

export const expiredSentence = "The certificate has expired";

/** Whether the certificate has expired. Vehicles could not use it, so the config must not be published (13.4). */
export function hasExpired({ expirationTs }: Pick<ModuleConfigContent, "expirationTs">, now: Date): boolean {
  return expirationTs !== null && expirationTs <= now;
}

export function buildModuleConfigContent(
  input: ModuleConfigInput,
  certificate: StoredCertificate,
  publicBaseUrl: string,
): ModuleConfigContent {
  return {
    ...recordOf(refreshCounts, (name) => input[snakeName(name)]),
    secondsBetweenRetries: input.seconds_between_retries,
    lockScreenDismissalEnabled: input.lock_screen_dismissal_enabled,
    endpoints: input.endpoints,
    ownEndpoints: listOwnEndpoints(input.endpoints, publicBaseUrl),
    endpointProperties: input.endpoint_properties,
    notificationsPerMinute: input.notifications_per_minute_by_priority,
    subtleNotificationsPerMinute: input.subtle_notifications_per_minute_by_priority,
    ...(input.rpc_priority_table.length > 0 && { rpcPriorityTable: input.rpc_priority_table }),
    // Listed one by one, because the argument may be a whole record.
    certificate: certificate.certificate,
    privateKey: certificate.privateKey,
    expirationTs: certificate.expirationTs,
  };
}

/** Form inputs send an empty text for no value. */
function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}
