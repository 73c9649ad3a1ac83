import type { Containers } from "@/lib/certificates/module/module-containers";
import { AppIndex, listApps } from "@/lib/policy/snapshot/app-index";
import type { LoadedSnapshot } from "@/lib/policy/snapshot/load-snapshot";
import type { PolicySnapshot, Views } from "@/lib/policy/table/snapshot";
import { appReader, storeApps, type AppPortion } from "@/lib/policy/saved/snapshot-apps";

const format = "policy-snapshot";
/** Raise it with every change of a snapshot type; files of other versions are not used. */
const version = 4;
const appsPerLine = 50;
const viewNames = ["groups", "messages", "moduleConfigs", "vehicleData"] as const;

/** The two views of a family share most of their records, so each record is written once. */
interface StoredViews<T> {
  readonly records: readonly T[];
  readonly staging: readonly number[];
  readonly production: readonly number[];
}

export interface SnapshotOrigin {
  readonly databaseId: string | null;
  /** When the database was last confirmed to have its revision, in milliseconds since 1970; null if unknown. */
  readonly confirmedAt: number | null;
}

interface Decoded {
  readonly snapshot: LoadedSnapshot;
  readonly databaseId: string | null;
  readonly containers: Containers;
}

export function* encodeSnapshot(
  snapshot: PolicySnapshot,
  databaseId: string | null,
  containers: Containers,
): Generator<string> {
  yield JSON.stringify({ format, version, revision: snapshot.revision, databaseId });
  for (const name of viewNames) yield JSON.stringify({ part: name, value: storeViews<unknown>(snapshot[name]) });
  yield JSON.stringify({ part: "permissions", value: snapshot.permissions });
  yield JSON.stringify({ part: "rpcSpec", value: snapshot.rpcSpec });
  yield JSON.stringify({ part: "containers", value: containers });
  for (const portion of storeApps(listApps(snapshot.apps), appsPerLine)) {
    yield JSON.stringify({ part: "apps", value: portion });
  }
}

interface Header {
  readonly version: unknown;
  readonly revision: number;
  readonly databaseId: string | null;
}

/** Reads the first line of a file of any version; null if it is invalid. */
export function readOrigin(firstLine: string): Header | null {
  try {
    return readHeader(firstLine);
  } catch {
    return null;
  }
}

function readHeader(line: string): Header {
  const header = JSON.parse(line) as Readonly<Record<string, unknown>> | null;
  if (header?.["format"] !== format) throw new Error("it is not a policy snapshot");
  const { revision, databaseId = null } = header;
  if (typeof revision !== "number" || (databaseId !== null && typeof databaseId !== "string")) {
    throw new Error("its first line is damaged");
  }
  return { version: header["version"], revision, databaseId };
}

/** Validates only the first line: the caller has compared the checksum, and the version guarantees the types. */
export function createSnapshotDecoder() {
  const editor = new AppIndex().edit();
  const readApps = appReader();
  const parts: { [name in (typeof viewNames)[number]]?: Views<never> } & Partial<LoadedSnapshot> = {};
  let header: ReturnType<typeof readHeader> | null = null;
  let containers: Containers | null = null;

  function take(text: string): void {
    if (header === null) {
      header = readHeader(text);
      if (header.version !== version) throw new Error("it is of another version");
      return;
    }
    const { part, value } = JSON.parse(text) as { readonly part: string; readonly value: unknown };
    if (part === "apps") for (const app of readApps(value as AppPortion)) editor.put(app);
    else if (part === "containers") containers = value as Containers;
    else if (part === "permissions" || part === "rpcSpec") Object.assign(parts, { [part]: value });
    else Object.assign(parts, { [part]: restoreViews(value as StoredViews<never>) });
  }

  function finish(): Decoded {
    const { groups, messages, moduleConfigs, vehicleData, permissions, rpcSpec } = parts;
    if (header === null || !groups || !messages || !moduleConfigs || !vehicleData || !permissions) {
      throw new Error("a part is missing");
    }
    if (rpcSpec === undefined || containers === null) throw new Error("a part is missing");
    const { revision, databaseId } = header;
    const apps = editor.finish();
    const snapshot = { revision, groups, messages, moduleConfigs, vehicleData, permissions, rpcSpec, apps };
    return { snapshot, databaseId, containers };
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
