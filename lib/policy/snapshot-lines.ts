import { z } from "zod";
import { AppIndex, listApps } from "@/lib/policy/app-index";
import { Interner } from "@/lib/policy/interner";
import { internVersion } from "@/lib/policy/app-documents";
import { type LoadedSnapshot } from "@/lib/policy/load-snapshot";
import { type PolicySnapshot, type SnapshotApp, type SnapshotAppVersion, type Views } from "@/lib/policy/snapshot";

/** Raise it with every change of a snapshot type: a file of another version is not used. */
const version = 2;
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

/** Where a snapshot kept on disk comes from. */
export interface SnapshotOrigin {
  /** Id of the database it was read from; null: not known. */
  readonly databaseId: string | null;
  /** When the database was last seen to be at its revision, in milliseconds since 1970; null: not known. */
  readonly confirmedAt: number | null;
}

/** The snapshot as lines of JSON, made one at a time: a header, one line per part, and the apps in portions. */
export function* encodeSnapshot(snapshot: PolicySnapshot, databaseId: string | null): Generator<string> {
  yield JSON.stringify({ format: "policy-snapshot", version, revision: snapshot.revision, databaseId });
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

const header = z.object({
  format: z.literal("policy-snapshot"),
  version: z.literal(version),
  revision: z.int(),
  databaseId: z.string().nullable(),
});

/** The id of the database in the first line of a file; null when it names none or is no such line. */
export function readDatabaseIdOf(firstLine: string): string | null {
  try {
    return header.parse(JSON.parse(firstLine)).databaseId;
  } catch {
    return null;
  }
}

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
  let databaseId: string | null = null;

  function take(text: string): void {
    if (revision === null) {
      ({ revision, databaseId } = header.parse(JSON.parse(text)));
      return;
    }
    const { part, value } = line.parse(JSON.parse(text));
    if (part === "apps") {
      for (const app of value as StoredApp[]) editor.put(restoreApp(app, interner));
    } else if (part === "permissions" || part === "rpcSpec") Object.assign(parts, { [part]: value });
    else Object.assign(parts, { [part]: restoreViews(value as StoredViews<never>) });
  }

  function finish(): LoadedSnapshot & Pick<SnapshotOrigin, "databaseId"> {
    const { groups, messages, moduleConfigs, vehicleData, permissions, rpcSpec } = parts;
    if (revision === null || !groups || !messages || !moduleConfigs || !vehicleData || !permissions) {
      throw new Error("a part is missing");
    }
    if (rpcSpec === undefined) throw new Error("a part is missing");
    const apps = editor.finish();
    return { databaseId, revision, groups, messages, moduleConfigs, vehicleData, permissions, rpcSpec, apps };
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
