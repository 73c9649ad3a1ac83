import { createHash, type Hash } from "node:crypto";
import type { DigestTables, TableDigests } from "@/lib/platform/backup/format";
import { createPacer } from "@/lib/platform/process/pacer";
import type { Settings } from "@/lib/platform/settings";
import { buildPolicyOptions } from "@/lib/policy/policy-options";
import { snapshotBefore } from "@/lib/policy/rollout/before";
import { listApps } from "@/lib/policy/snapshot/app-index";
import { readSnapshotIn } from "@/lib/policy/snapshot/load-snapshot";
import {
  type AppEntry,
  type CompiledPolicy,
  compilePolicy,
  NoModuleConfigError,
} from "@/lib/policy/table/compiled-policy";
import type { PolicySnapshot, SnapshotApp } from "@/lib/policy/table/snapshot";
import type { Edition } from "@/lib/policy/table/shared-sections";
import { namesOf } from "@/lib/vocabulary/members";

const editions = { long: "long ids", short: "short ids", older: "older Core" } as const;
/** Hexadecimal digits of the digest of a part, which only names what differs. */
const partDigits = 12;

/** For backups (`exchange.md` X11a): digests of the tables that a server with these settings serves. */
export function tableDigester(settings: Settings): DigestTables {
  return async (session, revision) => digestTables(await readSnapshotIn(session, revision, null), settings);
}

/**
 * Digests of all policy tables with the entries of all apps: SHA-256 of the bytes of each table, by view and edition, and
 * one of each part across all tables. The certificate counts as it is before it is packed, because each container differs.
 */
export async function digestTables(snapshot: PolicySnapshot, settings: Settings): Promise<TableDigests> {
  const plain = { ...settings, moduleConfigEncryptCertBundle: false };
  const options = await buildPolicyOptions(snapshot, plain, () => Promise.resolve(null));
  const compile = (of: PolicySnapshot, environment: "staging" | "production") =>
    compilePolicy(of, environment, options, () => undefined).catch((error: unknown) => {
      // Vehicles get no table then, and the restored database must give them none either.
      if (error instanceof NoModuleConfigError || error instanceof RangeError) return null;
      throw error;
    });
  const views = {
    production: await compile(snapshot, "production"),
    staging: await compile(snapshot, "staging"),
    ...(snapshot.rollout && {
      "production before the rollout": await compile(snapshotBefore(snapshot, snapshot.rollout), "production"),
    }),
  };
  const tables = Object.entries(views).flatMap(([view, policy]) =>
    policy === null
      ? []
      : namesOf(editions).map((edition) => new Table(`${view}, ${editions[edition]}`, policy, edition)),
  );
  const parts = new Map<string, Hash>();
  for (const table of tables) table.open((name, text) => hashOf(parts, name).update(`${table.name}\n${text}\n`));
  const pace = createPacer();
  for (const app of [...listApps(snapshot.apps)].toSorted((a, b) => (a.uuid < b.uuid ? -1 : 1))) {
    const part = hashOf(parts, `app ${app.uuid}`);
    for (const table of tables) part.update(table.add(app));
    await pace();
  }
  const digests = tables.map((table) => [table.name, table.close()] as const);
  const partDigests = [...parts].map(([name, hash]) => [name, hash.digest("hex").slice(0, partDigits)] as const);
  return {
    publicBaseUrl: settings.publicBaseUrl,
    tables: Object.fromEntries(digests),
    parts: Object.fromEntries(partDigests),
  };
}

/** What differs by name, such as `app 7a1f…: missing`; empty: every byte is the same. */
export function compareDigests(expected: TableDigests, found: TableDigests): readonly string[] {
  const differences = (members: "parts" | "tables") => {
    const names = [...new Set([...Object.keys(expected[members]), ...Object.keys(found[members])])];
    return names.flatMap((name) => {
      const [before, now] = [expected[members][name], found[members][name]];
      if (before === now) return [];
      return `${name}: ${now === undefined ? "missing" : before === undefined ? "added" : "different"}`;
    });
  };
  return [...differences("parts"), ...differences("tables").map((line) => `table of ${line}`)];
}

function hashOf(hashes: Map<string, Hash>, name: string): Hash {
  const known = hashes.get(name) ?? createHash("sha256");
  hashes.set(name, known);
  return known;
}

/** The bytes that a vehicle gets that asks for all apps, as in `buildAnswer`. */
class Table {
  readonly #hash = createHash("sha256");

  constructor(
    readonly name: string,
    private readonly policy: CompiledPolicy,
    private readonly edition: Edition,
  ) {}

  open(tell: (part: string, text: string) => void): void {
    const { moduleConfig, rpcPriorities, vehicleData, groupings, messagesVersion, messages } =
      this.policy.sections[this.edition];
    tell("module config", moduleConfig ?? "");
    tell("RPC priorities", rpcPriorities ?? "");
    tell("vehicle data", vehicleData);
    for (const { name, text } of groupings) tell(`group ${name}`, text);
    tell("version of the messages", messagesVersion);
    for (const { name, text } of messages) tell(`message ${name}`, text);
    tell("default entries", this.policy.closing.bytes.toString());
    const { edition } = this;
    for (const { bytes } of this.policy.openingParts(edition === "long", edition === "older")) this.#hash.update(bytes);
  }

  add({ uuid, shortIds }: SnapshotApp): string {
    const { edition, policy } = this;
    const ids = edition === "long" ? [uuid] : shortIds.map(({ shortId }) => shortId);
    const text = ids
      .map((id) => `${JSON.stringify(id)}:${entryText(policy.entryOf(id, edition === "long", edition === "older"))},`)
      .join("");
    this.#hash.update(text);
    return text;
  }

  close(): string {
    return this.#hash.update(this.policy.closing.bytes).digest("hex");
  }
}

function entryText(entry: AppEntry): string {
  if (entry === "null") return entry;
  return entry === "default" ? '"default"' : `${entry.text}}`;
}
