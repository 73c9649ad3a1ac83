import "server-only";
import type { Transaction } from "@/lib/platform/db/transaction";
import { buildAppEntry, entrySide } from "@/lib/policy/table/app-policies";
import { findInEntry } from "@/lib/policy/checks/findings";
import { isUnfit, type HeadUnitFinding } from "@/lib/policy/head-unit/finding";
import { readAppVersion } from "@/lib/policy/documents/documents";
import { Interner } from "@/lib/policy/documents/interner";
import { PermissionLoader } from "@/lib/policy/snapshot/load-lists";
import { RecordViews } from "@/lib/policy/snapshot/load-records";
import { snapshotFamilies } from "@/lib/policy/snapshot/shared-parts";
import { createPacer } from "@/lib/platform/process/pacer";
import { subtractFindings } from "@/lib/policy/checks/promotion-check";
import type { SnapshotApp } from "@/lib/policy/table/snapshot";
import type { Environment } from "@/lib/vocabulary/terms";

type Flags = Pick<SnapshotApp, "uuid" | "isAdministratorApp">;

/** Ignores findings that the entry of every app has: fixing that one fixes both. None if no entry can be built. */
export type FindRefusals = (flags: Flags, document: object, environment: Environment) => readonly HeadUnitFinding[];

export async function readRefusalFinder(tx: Pick<Transaction, "session">): Promise<FindRefusals> {
  const ignore = () => undefined;
  const groups = new RecordViews(snapshotFamilies.group, ignore);
  const messages = new RecordViews(snapshotFamilies.message, ignore);
  const permissions = new PermissionLoader(ignore);
  const pace = createPacer();
  for (const part of [groups, messages, permissions]) (await part.read(tx.session, pace, -1))();
  const snapshot = { groups: groups.views, messages: messages.views, permissions: permissions.list };
  const views = { staging: entrySide(snapshot, "staging"), production: entrySide(snapshot, "production") };
  const interner = new Interner();
  return (flags, document, environment) => {
    const version = readAppVersion(document, interner);
    if (version === null) return [];
    const side = views[environment];
    const app = { ...unset, ...flags };
    const text = buildAppEntry(app, version, side);
    const found = findInEntry(flags.uuid, text, side.names).filter(isUnfit);
    return found.length === 0 ? found : subtractFindings(found, findInEntry(flags.uuid, side.everyApp, side.names));
  };
}

/** Flags for which no head unit refuses a table. */
export const unset = {
  isBlacklisted: false,
  allowUnknownRpcPassthrough: false,
  hybridAppPreference: null,
  priority: null,
  shortIds: [],
  accepted: null,
  staged: null,
} as const;
