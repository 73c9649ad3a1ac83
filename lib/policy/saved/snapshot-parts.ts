import { deserialize, serialize } from "node:v8";
import type { Containers } from "@/lib/certificates/module/module-containers";
import { createPacer } from "@/lib/platform/process/pacer";
import { Interner } from "@/lib/policy/documents/interner";
import { AppIndex, listApps } from "@/lib/policy/snapshot/app-index";
import type { LoadedSnapshot } from "@/lib/policy/snapshot/load-snapshot";
import { packRollout, type SavedRollout, unpackRollout } from "@/lib/policy/saved/saved-rollout";
import type { PolicySnapshot, SnapshotApp, SnapshotAppVersion } from "@/lib/policy/table/snapshot";

const format = "policy-snapshot";
/** Raise both with every change of a snapshot type; files of other versions are not used. */
const version = 5;
/** With a rollout, which versions of the server that know none must not leave out. */
const rolloutVersion = 6;
const appsPerPart = 50;
const lengthBytes = 4;
const lineEnd = 10;

type Content = Omit<PolicySnapshot, "revision" | "apps" | "rollout"> & {
  readonly containers: Containers;
  readonly rollout?: SavedRollout;
};
type Part = Partial<Content> & { readonly apps?: readonly SnapshotApp[] };

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

/** A line of JSON, then parts with their lengths, so that neither writer nor reader blocks its process. */
export function* encodeSnapshot(
  snapshot: PolicySnapshot,
  databaseId: string | null,
  containers: Containers,
): Generator<Buffer> {
  const { revision, apps, groups, messages, moduleConfigs, vehicleData, permissions, rpcSpec, rollout } = snapshot;
  const written = rollout === null ? version : rolloutVersion;
  yield Buffer.from(`${JSON.stringify({ format, version: written, revision, databaseId })}\n`);
  yield* encodePart({ groups });
  yield* encodePart({ messages });
  yield* encodePart({ moduleConfigs, vehicleData, permissions, rpcSpec, containers });
  if (rollout !== null) yield* encodePart({ rollout: packRollout(rollout, snapshot) });
  let portion: SnapshotApp[] = [];
  for (const app of listApps(apps)) {
    portion.push(app);
    if (portion.length < appsPerPart) continue;
    yield* encodePart({ apps: portion });
    portion = [];
  }
  yield* encodePart({ apps: portion });
}

function encodePart(part: Part): readonly Buffer[] {
  const bytes = serialize(part);
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32LE(bytes.length);
  return [length, bytes];
}

interface Header {
  readonly version: unknown;
  readonly revision: number;
  readonly databaseId: string | null;
}

/** Reads the first line of a file of any version; null if it is invalid. */
export function readOrigin(begin: Buffer): Header | null {
  try {
    return readHeader(begin);
  } catch {
    return null;
  }
}

function readHeader(begin: Buffer): Header {
  const line = begin.toString("utf8", 0, Math.max(0, begin.indexOf(lineEnd)));
  const header = JSON.parse(line) as Readonly<Record<string, unknown>> | null;
  if (header?.["format"] !== format) throw new Error("it is not a policy snapshot");
  const { revision, databaseId = null } = header;
  if (typeof revision !== "number" || (databaseId !== null && typeof databaseId !== "string")) {
    throw new Error("its first line is damaged");
  }
  return { version: header["version"], revision, databaseId };
}

/** Validates only the first line: the caller has compared the checksum, and the version guarantees the types. */
export async function decodeSnapshot(bytes: Buffer): Promise<Decoded> {
  const header = readHeader(bytes);
  if (header.version !== version && header.version !== rolloutVersion) throw new Error("it is of another version");
  const editor = new AppIndex().edit();
  const share = textSharer();
  const parts: Partial<Content> = {};
  const pace = createPacer();
  for (let from = bytes.indexOf(lineEnd) + 1; from < bytes.length;) {
    const begin = from + lengthBytes;
    from = begin + bytes.readUInt32LE(from);
    const { apps = [], ...content } = deserialize(bytes.subarray(begin, from)) as Part;
    Object.assign(parts, content);
    for (const app of apps) editor.put(share(app));
    await pace();
  }
  const { containers, rollout: saved, ...content } = parts as Content;
  const { revision, databaseId } = header;
  const rollout = saved === undefined ? null : unpackRollout(saved, content);
  return { snapshot: { ...content, revision, apps: editor.finish(), rollout }, databaseId, containers };
}

/** Thousands of apps have the same certificate, and each was read with its own copy. */
function textSharer() {
  const texts = new Interner();
  const text = (value: string | null) => value && texts.text(value);
  const share = (one: SnapshotAppVersion | null) =>
    one && { ...one, cloudTransportType: text(one.cloudTransportType), caCertificate: text(one.caCertificate) };
  return (app: SnapshotApp): SnapshotApp => {
    const accepted = share(app.accepted);
    return { ...app, accepted, staged: app.staged === app.accepted ? accepted : share(app.staged) };
  };
}
