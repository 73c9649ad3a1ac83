import { z } from "zod";
import { AppIndex, listApps } from "@/lib/policy/app-index";
import { Interner } from "@/lib/policy/interner";
import { internVersion } from "@/lib/policy/app-documents";
import { type LoadedSnapshot } from "@/lib/policy/load-snapshot";
import { type PolicySnapshot, type SnapshotApp, type SnapshotAppVersion, type Views } from "@/lib/policy/snapshot";

/** Raise it with every change of a snapshot type: a file of another version is not used. */
const version = 1;
const appsPerLine = 50;
const viewNames = ["groups", "messages", "moduleConfigs", "vehicleData"] as const;

/** The two views of a family share most of their records; each record is written once. */
interface StoredViews<T> {
  readonly records: readonly T[];
  readonly staging: readonly number[];
  readonly production: readonly number[];
}
/** Most apps have one version that is both. */
type StoredApp = Omit<SnapshotApp, "staged"> & { readonly staged: SnapshotAppVersion | null | "accepted" };

/** The snapshot as lines of JSON, made one at a time: a header, one line per part, and the apps in portions. */
export function* encodeSnapshot(snapshot: PolicySnapshot): Generator<string> {
  yield JSON.stringify({ format: "policy-snapshot", version, revision: snapshot.revision });
  for (const name of viewNames) yield JSON.stringify({ part: name, value: storeViews<unknown>(snapshot[name]) });
  yield JSON.stringify({ part: "permissions", value: snapshot.permissions });
  yield JSON.stringify({ part: "rpcSpec", value: snapshot.rpcSpec });
  let portion: StoredApp[] = [];
  for (const app of listApps(snapshot.apps)) {
    portion.push({ ...app, staged: app.staged !== null && app.staged === app.accepted ? "accepted" : app.staged });
    if (portion.length < appsPerLine) continue;
    yield JSON.stringify({ part: "apps", value: portion });
    portion = [];
  }
  yield JSON.stringify({ part: "apps", value: portion });
}

const header = z.object({ format: z.literal("policy-snapshot"), version: z.literal(version), revision: z.int() });
const line = z.object({
  part: z.enum([...viewNames, "permissions", "rpcSpec", "apps"]),
  value: z.unknown(),
});

/**
 * Puts a snapshot together again, line by line. Lines are believed beyond their outline: the caller must compare the
 * checksum before it uses the result, and the version stands for the types.
 */
export function createSnapshotDecoder() {
  const interner = new Interner();
  const editor = new AppIndex().edit();
  const parts: { [name in (typeof viewNames)[number]]?: Views<never> } & Partial<LoadedSnapshot> = {};
  let revision: number | null = null;

  function take(text: string): void {
    if (revision === null) {
      revision = header.parse(JSON.parse(text)).revision;
      return;
    }
    const { part, value } = line.parse(JSON.parse(text));
    if (part === "apps") {
      for (const app of value as StoredApp[]) editor.put(restoreApp(app, interner));
    } else if (part === "permissions" || part === "rpcSpec") Object.assign(parts, { [part]: value });
    else Object.assign(parts, { [part]: restoreViews(value as StoredViews<never>) });
  }

  function finish(): LoadedSnapshot {
    const { groups, messages, moduleConfigs, vehicleData, permissions, rpcSpec } = parts;
    if (revision === null || !groups || !messages || !moduleConfigs || !vehicleData || !permissions) {
      throw new Error("a part is missing");
    }
    if (rpcSpec === undefined) throw new Error("a part is missing");
    const apps = editor.finish();
    return { revision, groups, messages, moduleConfigs, vehicleData, permissions, rpcSpec, apps };
  }

  return { take, finish };
}

function storeViews<T>({ staging, production }: Views<T>): StoredViews<T> {
  const positions = new Map<T, number>();
  const place = (record: T) => {
    const position = positions.get(record) ?? positions.size;
    positions.set(record, position);
    return position;
  };
  return { staging: staging.map(place), production: production.map(place), records: [...positions.keys()] };
}

function restoreViews<T>({ records, staging, production }: StoredViews<T>): Views<T> {
  const pick = (positions: readonly number[]) => positions.flatMap((position) => records.slice(position, position + 1));
  return { staging: pick(staging), production: pick(production) };
}

function restoreApp(app: StoredApp, interner: Interner): SnapshotApp {
  const accepted = app.accepted === null ? null : internVersion(app.accepted, interner);
  if (app.staged === "accepted") return { ...app, accepted, staged: accepted };
  return { ...app, accepted, staged: app.staged === null ? null : internVersion(app.staged, interner) };
}
