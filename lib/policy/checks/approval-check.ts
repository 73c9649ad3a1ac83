import "server-only";
import { isDeepStrictEqual } from "node:util";
import { oncePer } from "@/lib/platform/once-per";
import type { Transaction } from "@/lib/platform/db/transaction";
import type { RuleSources } from "@/lib/policy/table/app-groups";
import { buildAppEntry, entrySide } from "@/lib/policy/table/app-policies";
import { findInEntry } from "@/lib/policy/checks/findings";
import { isUnfit, type HeadUnitFinding } from "@/lib/policy/head-unit/finding";
import { readAppVersion } from "@/lib/policy/documents/documents";
import { Interner } from "@/lib/policy/documents/interner";
import { PermissionLoader } from "@/lib/policy/snapshot/load-lists";
import { RecordViews } from "@/lib/policy/snapshot/load-records";
import { snapshotFamilies } from "@/lib/policy/snapshot/families";
import { createPacer } from "@/lib/platform/process/pacer";
import { subtractFindings } from "@/lib/policy/checks/promotion-check";
import type { SnapshotApp } from "@/lib/policy/table/snapshot";
import type { Environment } from "@/lib/vocabulary/terms";

type Flags = Pick<SnapshotApp, "uuid" | "isAdministratorApp">;

/** Ignores findings that the entry of every app has: fixing that one fixes both. None if no entry can be built. */
export type FindRefusals = (flags: Flags, document: object, environment: Environment) => readonly HeadUnitFinding[];

export function readRefusalFinder(tx: Pick<Transaction, "session">): Promise<FindRefusals> {
  return createRefusalReader()(tx);
}

export type ReadRefusalFinder = typeof readRefusalFinder;

/** For several transactions in turn: each reads only the groups and messages that are new since the last one. */
export function createRefusalReader(): ReadRefusalFinder {
  const ignore = () => undefined;
  const groups = new RecordViews(snapshotFamilies.group, ignore);
  const messages = new RecordViews(snapshotFamilies.message, ignore);
  return async ({ session }) => {
    const permissions = new PermissionLoader(ignore);
    const pace = createPacer();
    for (const part of [groups, messages, permissions]) (await part.read(session, pace, -1))();
    return findRefusalsIn({ groups: groups.views, messages: messages.views, permissions: permissions.list });
  };
}

function findRefusalsIn(snapshot: RuleSources): FindRefusals {
  const views = { staging: entrySide(snapshot, "staging"), production: entrySide(snapshot, "production") };
  const isSameAround =
    views.staging.everyApp === views.production.everyApp &&
    isDeepStrictEqual(views.staging.names, views.production.names);
  const interner = new Interner();
  // Both environments of an app are asked for in turn, and usually have the same entry.
  const readVersion = oncePer((document: object) => readAppVersion(document, interner));
  let last: { readonly uuid: string; readonly text: string; readonly found: readonly HeadUnitFinding[] } | null = null;
  return (flags, document, environment) => {
    const version = readVersion(document);
    if (version === null) return [];
    const { uuid } = flags;
    const side = views[environment];
    const text = buildAppEntry({ ...unset, ...flags }, version, side);
    if (isSameAround && last?.uuid === uuid && last.text === text) return last.found;
    const unfit = findInEntry(uuid, text, side.names).filter(isUnfit);
    const found = unfit.length === 0 ? unfit : subtractFindings(unfit, findInEntry(uuid, side.everyApp, side.names));
    last = { uuid, text, found };
    return found;
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
