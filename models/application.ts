import { type InferSchemaType, Schema } from "mongoose";
import { approvalStatuses, hmiTextLevels } from "@/lib/vocabulary/terms";
import { classifyVersions, watched } from "./written";
import { flag, modelOf, part, text } from "./parts";

const size = { type: Number, default: null } as const;
const names = [{ type: String, required: true }];

const category = new Schema({ id: { type: Number, required: true }, name: text, displayName: text }, part);
const country = new Schema({ iso: { type: String, required: true }, name: { type: String, default: "" } }, part);
const permission = new Schema(
  {
    key: { type: String, required: true },
    hmiLevel: { type: String, enum: [...hmiTextLevels, null], default: null },
  },
  part,
);
const service = new Schema(
  {
    name: { type: String, required: true },
    displayName: { type: String, required: true },
    serviceNames: names,
    selectedPermissions: names,
  },
  part,
);
const cut = new Schema({ field: { type: String, required: true }, what: { type: String, required: true } }, part);
const ttsChunk = new Schema({ type: { type: String, required: true }, text: { type: String, default: "" } }, part);
const locale = new Schema(
  { code: { type: String, required: true }, name: text, vrNames: names, ttsChunks: [ttsChunk] },
  part,
);

/** Members for search and sorting. The schema derives them, so that no writer can forget them. */
export interface Named {
  readonly uuid: string;
  readonly shortUuid: string;
  readonly name: string;
  readonly displayNames?: readonly string[];
  readonly vendorName?: string;
  readonly vendorEmail?: string;
  readonly techEmail?: string | null;
  readonly services?: readonly { readonly name: string; readonly displayName: string }[];
  readonly permissions?: readonly { readonly key: string }[];
}
/** In characters. A search reads the texts of all apps, so unlimited data from the app directory is left out. */
const longestSearchText = 8192;

const nameKeyOf = ({ name }: Named) => name.toLowerCase();

function searchTextOf(named: Named): string {
  const { services = [], permissions = [], displayNames = [] } = named;
  const lines = [
    ...[named.name, named.uuid, named.shortUuid, named.vendorName, named.vendorEmail, named.techEmail],
    ...displayNames,
    ...services.flatMap(({ name, displayName }) => [name, displayName]),
    ...permissions.map(({ key }) => key),
  ];
  const kept = new Set<string>();
  let length = 0;
  for (const line of lines) {
    const text = line?.toLowerCase() ?? "";
    // Texts beyond the limit are dropped from the end, so that an app is always found by its names.
    if (text === "" || kept.has(text) || length + text.length >= longestSearchText) continue;
    kept.add(text);
    length += text.length + 1;
  }
  return [...kept].join("\n");
}
/** The same for writers that insert plain documents, bypassing the schema. */
export const derivedMembers = (named: Named) => ({ nameKey: nameKeyOf(named), searchText: searchTextOf(named) });

/** One document per version that the app directory delivered; afterwards only decisions change it. */
const schema = new Schema(
  {
    _id: { type: Number, required: true },
    uuid: { type: String, required: true },
    shortUuid: { type: String, required: true },
    /** Lower-case ids, because vehicles and phones may use either case. */
    uuidKey: { type: String, required: true },
    shortKey: { type: String, required: true },
    versionId: { type: Number, default: null },
    /** True for the version with the greatest id of its uuid; whoever adds a version updates it. */
    isLatest: { type: Boolean, required: true, default: true },
    name: { type: String, required: true },
    nameKey: {
      type: String,
      required: true,
      default(this: Named) {
        return nameKeyOf(this);
      },
    },
    /** All searchable texts in lower case, one per line. Never empty, because it contains the uuid. */
    searchText: {
      type: String,
      required: true,
      default(this: Named) {
        return searchTextOf(this);
      },
    },
    platform: { type: String, required: true },
    platformAppId: text,
    status: { type: String, required: true },
    approvalStatus: { type: String, enum: approvalStatuses, required: true },
    denialMessage: text,
    encryptionRequired: flag,
    canBackgroundAlert: flag,
    canStealFocus: flag,
    canManageWidgets: flag,
    defaultHmiLevel: { type: String, enum: hmiTextLevels, required: true },
    iconUrl: text,
    cloudEndpoint: text,
    cloudTransportType: text,
    caCertificate: text,
    techEmail: text,
    techPhone: text,
    vendorName: { type: String, default: "" },
    vendorEmail: { type: String, default: "" },
    categoryId: { type: Number, default: null },
    categories: [category],
    countries: [country],
    displayNames: names,
    permissions: [permission],
    services: [service],
    groupGrants: names,
    /** What was cut or left out of the app directory's record for head units to accept it. */
    cuts: [cut],
    /** Why automatic approval held this version back, in sentences; empty once somebody has decided. */
    holds: names,
    /** Stored, but shown by no route. */
    locales: [locale],
    minRpcVersion: text,
    minProtocolVersion: text,
    developerVersion: text,
    transportType: text,
    packageUrl: text,
    sizeCompressedBytes: size,
    sizeDecompressedBytes: size,
    entrypointPath: text,
    iconPath: text,
    description: text,
    /** Times from the app directory, otherwise of storing, so Mongoose must not set them. */
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
    storedAt: { type: Date, required: true },
  },
  { collection: "applications", strict: "throw" },
);
/** A version is stored once however often it is delivered; those without a number count as one. */
schema.index({ uuid: 1, versionId: 1 }, { unique: true });
/** Latest version of an app; this index alone decides what a policy table needs of it. */
schema.index({ uuid: 1, _id: -1 });
schema.index({ uuidKey: 1, _id: 1, approvalStatus: 1, shortUuid: 1, uuid: 1 });
schema.index({ shortKey: 1, _id: -1 });
schema.index({ approvalStatus: 1, _id: 1 });
schema.index({ platform: 1, approvalStatus: 1, _id: 1 });
/** Lists show the latest version of every app: all of them, by status, by name, by time, or found by a search. */
schema.index({ isLatest: 1, _id: 1 });
schema.index({ isLatest: 1, approvalStatus: 1, _id: 1 });
schema.index({ isLatest: 1, nameKey: 1, _id: 1 });
schema.index({ isLatest: 1, updatedAt: 1, _id: 1 });
schema.index({ isLatest: 1, searchText: 1 });
schema.index({ isLatest: 1, storedAt: 1, _id: 1 });
schema.index({ isLatest: 1, approvalStatus: 1, nameKey: 1, _id: 1 });
schema.index({ isLatest: 1, approvalStatus: 1, updatedAt: 1, _id: 1 });
schema.index({ isLatest: 1, approvalStatus: 1, storedAt: 1, _id: 1 });

export type ApplicationRecord = InferSchemaType<typeof schema>;
export const ApplicationModel = watched(modelOf("Application", schema), classifyVersions);
