"one per process";

import "server-only";
import { requireDatabase } from "@/lib/platform/db/connection/connect";
import { type OncePerRevision, oncePerRevision } from "@/lib/platform/db/once-per-revision";
import { readRevision } from "@/lib/platform/db/revision";
import { policyStatus, whenFollowed } from "@/lib/policy/status";
import type { StoreAppJson, StoreQuery } from "@/lib/apps/store/schema";
import { isOffered, type StoreApp } from "@/lib/apps/store/rules";
import { namesOf, pickStored } from "@/lib/vocabulary/members";
import { ApplicationFlagsModel } from "@/models/application-flags";
import { ApplicationModel } from "@/models/application";

/** ACCEPTED: the production store; STAGING: the staging store. */
export type StoreStatus = "ACCEPTED" | "STAGING";

/** The apps of both stores at the last revision read. The routes are public, so they read at most once per revision. */
const shelves: Readonly<Record<StoreStatus, OncePerRevision<readonly StoreApp[]>>> = {
  ACCEPTED: oncePerRevision(() => loadStoreApps("ACCEPTED")),
  STAGING: oncePerRevision(() => loadStoreApps("STAGING")),
};

/** Lists the embedded apps that a store offers, by ascending record id (`api.md` section 7). */
export async function listStoreApps(status: StoreStatus, query: StoreQuery): Promise<StoreAppJson[]> {
  const apps = await loadShelf(status);
  return apps.filter((app) => isOffered(app, query)).map(buildStoreAppJson);
}

async function loadShelf(status: StoreStatus): Promise<readonly StoreApp[]> {
  // The list includes every decision that was already confirmed. The runtime tracks the revision; other hosts read it.
  const followed = (await whenFollowed()) ? policyStatus()?.revision : undefined;
  return shelves[status].get(followed ?? (await readCurrentRevision()));
}

async function readCurrentRevision(): Promise<number> {
  await requireDatabase();
  return readRevision();
}

async function loadStoreApps(status: StoreStatus): Promise<StoreApp[]> {
  await requireDatabase();
  const heads = await ApplicationModel.find({ platform: "EMBEDDED", approvalStatus: status }, { uuid: 1 })
    .sort({ _id: 1 })
    .lean();
  // In ascending order, the last id of an app is its newest version of this status.
  const newest = new Map(heads.map(({ _id, uuid }) => [uuid, _id]));
  const [versions, flags] = await Promise.all([
    ApplicationModel.find({ _id: { $in: [...newest.values()] } }, shown)
      .sort({ _id: 1 })
      .lean(),
    ApplicationFlagsModel.find(
      { uuid: { $in: [...newest.keys()] } },
      { _id: 0, uuid: 1, isBlacklisted: 1, hybridAppPreference: 1 },
    ).lean(),
  ]);
  const flagsOf = new Map(flags.map((one) => [one.uuid, one]));
  return versions
    .filter(({ uuid }) => flagsOf.get(uuid)?.isBlacklisted !== true)
    .map((version) => ({
      ...pickStored(version, namesOf(shown)),
      hybridAppPreference: flagsOf.get(version.uuid)?.hybridAppPreference ?? "BOTH",
    }));
}

const shown = {
  uuid: 1,
  name: 1,
  displayNames: 1,
  description: 1,
  transportType: 1,
  cloudTransportType: 1,
  iconUrl: 1,
  packageUrl: 1,
  sizeCompressedBytes: 1,
  sizeDecompressedBytes: 1,
  minRpcVersion: 1,
  minProtocolVersion: 1,
} as const;

/** An app in the store (`api.md` 7.1). The route is public, so no other member of the record may appear here. */
function buildStoreAppJson(app: StoreApp): StoreAppJson {
  return {
    name: app.name,
    nicknames: [...app.displayNames],
    description: app.description,
    policyAppID: app.uuid,
    enabled: true,
    transportType: app.cloudTransportType,
    hybridAppPreference: app.hybridAppPreference,
    icon_url: app.iconUrl !== null && isIconAddress(app.iconUrl) ? app.iconUrl : null,
    package: {
      url: app.packageUrl,
      size_compressed_bytes: app.sizeCompressedBytes,
      size_decompressed_bytes: app.sizeDecompressedBytes,
    },
  };
}

/** Developers choose these URLs, and the store's frontend may use them where scripts run. */
function isIconAddress(text: string): boolean {
  return /^(?:https?:\/\/|data:image\/)/i.test(text);
}
