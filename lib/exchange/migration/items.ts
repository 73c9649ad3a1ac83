/** `exchange.md` X10a: a later run learns from digests what changed on which server. Pure. */
import { createHash } from "node:crypto";
import type { RawDocument } from "@/lib/platform/db/connection/connect";
import type { RecordItemFamily } from "@/lib/vocabulary/release-items";
import { namesOf } from "@/lib/vocabulary/members";
import { byCodeUnit } from "@/lib/vocabulary/order";
import type { Transaction } from "@/lib/platform/db/transaction";

export interface Heads {
  readonly production: RawDocument | null;
  readonly staging: RawDocument | null;
}

export const textOf = (value: unknown) => (typeof value === "string" || typeof value === "number" ? `${value}` : "");

export const absent = "";

export function headsByKey(documents: readonly RawDocument[], keyField: string | null): Map<string, Heads> {
  const heads = new Map<string, Heads>();
  for (const document of documents.toSorted((a, b) => a._id - b._id)) {
    const key = keyField === null ? "" : textOf(document[keyField]);
    const production = document.status === "PRODUCTION" ? document : (heads.get(key)?.production ?? null);
    heads.set(key, { production, staging: document });
  }
  return heads;
}

/** Equal texts mean equal content in both views, regardless of ids and times. */
export function digestOfHeads({ production, staging }: Heads): string {
  if (staging === null) return absent;
  return hashOf([production && contentOf(production), staging.status, contentOf(staging)]);
}

export function digestOfContent(document: RawDocument | null): string {
  return document === null ? absent : hashOf(contentOf(document));
}

/** Each server renews its own certificates, so they are compared separately. */
export function digestOfCertificate(config: RawDocument | null): string {
  return config === null || !config["certificate"] ? absent : hashOf(config["certificate"]);
}

interface Service {
  readonly name: string;
  readonly selectedPermissions: readonly string[];
}

export function decidedMembersOf(version: RawDocument) {
  const services = (version["services"] ?? []) as readonly Service[];
  return {
    approvalStatus: textOf(version["approvalStatus"]),
    denialMessage: version["denialMessage"] ?? null,
    encryptionRequired: version["encryptionRequired"] === true,
    groupGrants: [...((version["groupGrants"] ?? []) as readonly string[])].sort(byCodeUnit),
    services: services
      .flatMap(({ name, selectedPermissions }) => selectedPermissions.map((permission) => `${name}: ${permission}`))
      .sort(byCodeUnit),
  };
}

export const digestOfDecision = (version: RawDocument | null) =>
  version === null ? absent : hashOf(decidedMembersOf(version));

/** Nobody has decided about it yet. */
export function isUndecided(version: RawDocument): boolean {
  const { approvalStatus, denialMessage, groupGrants, services } = decidedMembersOf(version);
  return approvalStatus === "PENDING" && !denialMessage && groupGrants.length === 0 && services.length === 0;
}

export const flagLabels = {
  isBlacklisted: "blocked",
  isAutoApprovedEnabled: "approved automatically",
  isAdministratorApp: "administrator app",
  allowUnknownRpcPassthrough: "passthrough of unknown RPCs",
  hybridAppPreference: "hybrid preference",
} as const;

/** An app without flags counts as absent. */
export function digestOfFlags(flags: RawDocument | null): string {
  const set = namesOf(flagLabels).flatMap((name) => (flags?.[name] ? [[name, flags[name]]] : []));
  return set.length === 0 ? absent : hashOf(set);
}

export const versionKey = (version: RawDocument) => `${textOf(version["uuid"])}:${textOf(version["versionId"])}`;

export interface MovedDocuments {
  readonly consumer_messages: readonly RawDocument[];
  readonly custom_vehicle_data: readonly RawDocument[];
  readonly functional_groups: readonly RawDocument[];
  readonly module_configs: readonly RawDocument[];
  readonly applications: readonly RawDocument[];
  readonly application_flags: readonly RawDocument[];
  readonly app_certificates: readonly { readonly _id: string; readonly container: string }[];
}

export const movedFamilies = {
  message: { documents: "consumer_messages", keyField: "category" },
  vehicle_data: { documents: "custom_vehicle_data", keyField: "name" },
  group: { documents: "functional_groups", keyField: "name" },
  module_config: { documents: "module_configs", keyField: null },
} as const satisfies Readonly<
  Record<RecordItemFamily, { readonly documents: keyof MovedDocuments; readonly keyField: string | null }>
>;

export function digestsOf(documents: MovedDocuments): Map<string, string> {
  const digests = new Map<string, string>();
  for (const [family, { documents: from, keyField }] of Object.entries(movedFamilies)) {
    for (const [key, heads] of headsByKey(documents[from], keyField)) {
      digests.set(`${family}:${key}`, digestOfHeads(heads));
      if (family === "module_config")
        digests.set(certificateItem, digestOfCertificate(heads.production ?? heads.staging));
    }
  }
  for (const version of documents.applications)
    digests.set(`version:${versionKey(version)}`, digestOfDecision(version));
  for (const flags of documents.application_flags) digests.set(`app:${textOf(flags["uuid"])}`, digestOfFlags(flags));
  for (const { _id, container } of documents.app_certificates) digests.set(`container:${_id}`, hashOf(container));
  for (const [id, digest] of digests) if (digest === absent) digests.delete(id);
  return digests;
}
export const certificateItem = "module_certificate:";
export const digestOfContainer = (container: string | null) => (container === null ? absent : hashOf(container));

function hashOf(value: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(canonical(value)))
    .digest("base64url")
    .slice(0, 22);
}

/** Not content: ids and times, which endpoints have this server's own URL, and certificates. */
const ofNoContent = new Set([
  ...["_id", "__v", "id", "parentId", "createdAt", "updatedAt", "release", "status"],
  ...["certificate", "privateKey", "expirationTs", "ownEndpoints"],
]);

/** Sets in a fixed order, and trees without ids. */
function contentOf(document: RawDocument): object {
  const { languages, endpointProperties, nodes } = document;
  return {
    ...document,
    ...(Array.isArray(languages) && { languages: sortedBy(languages, ["languageId"]) }),
    ...(Array.isArray(endpointProperties) && {
      endpointProperties: sortedBy(endpointProperties, ["endpoint", "name"]),
    }),
    ...(Array.isArray(nodes) && { nodes: withPlaces(nodes as readonly TreeNode[]) }),
  };
}

interface TreeNode {
  readonly id: number;
  readonly parentId: number | null;
}
const withPlaces = (nodes: readonly TreeNode[]) =>
  nodes.map((node) => ({ ...node, below: nodes.findIndex(({ id }) => id === node.parentId) }));

function sortedBy(elements: readonly unknown[], names: readonly string[]): unknown[] {
  const keyOf = (element: unknown) => {
    const members = new Map<string, unknown>(Object.entries(element ?? {}));
    return names.map((name) => textOf(members.get(name))).join("\0");
  };
  return elements.toSorted((a, b) => byCodeUnit(keyOf(a), keyOf(b)));
}

/** Null and empty lists may be stored as such or omitted. */
function canonical(value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map((one) => canonical(one) ?? null);
  if (value instanceof Date || typeof value !== "object") return value;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const text = ofNoContent.has(name) ? undefined : canonical(member);
    return text === undefined ? [] : [[name, text] as const];
  });
  return Object.fromEntries(members.toSorted(([a], [b]) => byCodeUnit(a, b)));
}

export function createRun(tx: Transaction, base: ReadonlyMap<string, string>, documents: MovedDocuments) {
  const conflicts: { what: string; reason: string }[] = [];
  const changes: { what: string; change: string }[] = [];
  const kept: { what: string; reason: string }[] = [];
  const writes: (() => Promise<void>)[] = [];
  /**
   * `take`: changed only on the other server; `conflict`: on both; null: not there, or equal. `what` is reported if it
   * changed only here; null: not reported.
   */
  const judge = (id: string, what: string | null, theirs: string, ours: string): "take" | "conflict" | null => {
    const before = base.get(id) ?? absent;
    if (theirs === ours) return null;
    if (theirs !== before) return ours === before ? "take" : "conflict";
    if (what !== null) kept.push({ what, reason: "it was changed here since the last run" });
    return null;
  };
  return { tx, base, documents, conflicts, changes, kept, writes, judge };
}
export type Run = ReturnType<typeof createRun>;
