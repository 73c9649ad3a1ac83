"one per process";

import { createHash } from "node:crypto";
import type { Count } from "@/lib/fleet/dimensions";
import { groupDigest, groupsDigest, keysText, releaseKeys } from "@/lib/fleet/release-key";
import { readMembers } from "@/lib/policy/answer/request-bytes";
import { isObject, memberOf } from "@/lib/policy/head-unit/values";
import { readPermitTable } from "@/lib/policy/permits/car";
import { fixedEntryNames } from "@/lib/policy/table/app-policies";
import type { CompiledPolicy } from "@/lib/policy/table/compiled-policy";
import { matchApp } from "@/lib/policy/table/match-app";
import { oncePer } from "@/lib/platform/once-per";

/** A request that got a table, and the policy that it came from. */
export interface SampledRequest {
  readonly body: Buffer;
  readonly policy: CompiledPolicy;
}

type Part = Pick<Count, "dimension" | "value" | "counters">;

/** What a request says, without anything about its car, phones or people (rule S2). */
export interface Reading {
  readonly software: string | null;
  readonly country: string | null;
  readonly counts: readonly Part[];
}

/** Bounds of rule S6. Longer values are not read, so that no piece of the work takes longer than a millisecond. */
const [deepest, maxEntries, maxText, maxNumber, maxValueBytes, maxGroupsBytes] = [
  64, 1_003, 64, 65_535, 65_536, 262_144,
];

type Members = ReadonlyMap<string, Buffer>;
const none: Members = new Map();
type Steps<Result> = Generator<undefined, Result, undefined>;

/**
 * Reads a request piece by piece (rule S3): each step takes well below a millisecond, and reads only known members
 * (rule S6). Others may use the pass over JSON between the steps. `hasUsage`: also how apps were used, and consents.
 * Throws for a body that is no JSON.
 */
export function* readRequest({ body, policy }: SampledRequest, hasUsage: boolean, groups: KnownGroups): Steps<Reading> {
  const table = membersOf(body, "policy_table");
  yield;
  const meta = membersOf(table.get("module_meta"));
  const [software, country] = [textIn(meta, "ccpu_version"), textIn(meta, "wers_country_code")];
  const counts: Part[] = [
    ...single("software", software),
    ...single("hardware", textIn(meta, "hardware_version")),
    ...single("languages", textIn(meta, "language")),
    ...single("countries", country),
  ];
  yield;
  counts.push(...single("releases", yield* readReleaseKeys(table, groups)));
  const apps = yield* readApps(table, policy);
  if (hasUsage) yield* readUsage(table, policy, apps.known);
  counts.push(...apps.unknown, ...partsOf("apps", apps.known));
  counts.push(...(yield* readPhones(table, policy, hasUsage)));
  return { software, country, counts };
}

function* readReleaseKeys(table: Members, groups: KnownGroups): Steps<string | null> {
  const messagesVersion = textIn(membersOf(table.get("consumer_friendly_messages")), "version");
  const schemaVersion = textIn(membersOf(table.get("vehicle_data")), "schema_version");
  const groupings = yield* groups.digest(table.get("functional_groupings"));
  return groupings === null ? null : keysText(releaseKeys(groupings, messagesVersion ?? "", schemaVersion));
}

/** Digests of the functional groups that cars send, because nearly all cars send the same. */
export class KnownGroups {
  readonly #known = new Map<string, string>();
  readonly #most: number;

  constructor(most = 500) {
    this.#most = most;
  }

  *digest(bytes: Buffer | undefined): Steps<string | null> {
    if (bytes === undefined || bytes.length > maxGroupsBytes) return null;
    const key = createHash("sha256").update(bytes).digest("base64url");
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const digests: string[] = [];
    for (const [name, content] of membersOf(bytes)) {
      yield;
      const { groups } = readPermitTable({ functional_groupings: { [name]: valueOf(content) } });
      digests.push(...groups.map(groupDigest));
    }
    if (this.#known.size >= this.#most) this.#known.clear();
    const digest = groupsDigest(digests);
    this.#known.set(key, digest);
    return digest;
  }
}

type Counters = Record<string, number>;

function* readApps(table: Members, policy: CompiledPolicy) {
  const config = membersOf(table.get("module_config"));
  const isLong = Boolean(valueOf(config.get("full_app_id_supported")));
  const known = new Map<string, Counters>();
  const unknown: Part[] = [];
  for (const id of membersOf(table.get("app_policies")).keys()) {
    if (isFixed.has(id)) continue;
    yield;
    const app = matchApp(policy.snapshot.apps, id, isLong);
    if (app === undefined) {
      unknown.push(...single("unknownApps", textOf(id.toLowerCase())));
      continue;
    }
    const entry = policy.entryOf(id, isLong);
    known.set(app.uuid, { [entry === "null" ? "blocked" : entry === "default" ? "default" : "own"]: 1 });
  }
  return { known, unknown, isLong };
}

const isFixed: ReadonlySet<string> = new Set(fixedEntryNames);

/** Members of `app_level` by counter (`fleet.md` S1). */
const usage = {
  full: ["minutes_in_hmi_full"],
  limited: ["minutes_in_hmi_limited"],
  background: ["minutes_in_hmi_background"],
  none: ["minutes_in_hmi_none"],
  selections: ["count_of_user_selections"],
  rejected: ["count_of_rejected_rpc_calls"],
  refused: [
    "count_of_rejections_sync_out_of_memory",
    "count_of_rejections_nickname_mismatch",
    "count_of_rejections_duplicate_name",
  ],
  removed: ["count_of_removals_for_bad_behavior"],
} as const;

function* readUsage(table: Members, policy: CompiledPolicy, apps: Map<string, Counters>): Steps<void> {
  const levels = membersOf(table.get("usage_and_error_counts"), "app_level");
  for (const [id, content] of levels) {
    yield;
    // Reports name apps like the requested ids, of which short ones always count.
    const app = matchApp(policy.snapshot.apps, id, true);
    if (app === undefined) continue;
    const level = valueOf(content);
    if (!isObject(level)) continue;
    const counters = apps.get(app.uuid) ?? {};
    apps.set(app.uuid, counters);
    increase(counters, "reports", 1);
    for (const [counter, members] of Object.entries(usage))
      for (const member of members) increase(counters, counter, numberOf(memberOf(level, member)));
  }
}

function* readPhones(table: Members, policy: CompiledPolicy, hasUsage: boolean): Steps<readonly Part[]> {
  const systems = new Map<string, Counters>();
  const groups = new Map<string, Counters>();
  const names = groupNames(policy);
  for (const content of membersOf(table.get("device_data")).values()) {
    yield;
    const device = membersOf(content);
    const system = textIn(device, "os");
    if (system !== null) count(systems, system, "count");
    if (!hasUsage) continue;
    for (const record of membersOf(device.get("user_consent_records")).values()) {
      yield;
      const consents = valueOf(membersOf(record).get("consent_groups"));
      if (!isObject(consents)) continue;
      for (const [name, answer] of Object.entries(consents))
        if (names.has(name) && typeof answer === "boolean") count(groups, name, answer ? "yes" : "no");
    }
  }
  return [...partsOf("systems", systems), ...partsOf("groups", groups)];
}

const groupNames = oncePer(
  ({ sections }: CompiledPolicy): ReadonlySet<string> => new Set(sections.long.groupings.map(({ name }) => name)),
);

function count(all: Map<string, Counters>, value: string, counter: string): void {
  const counters = all.get(value) ?? {};
  increase(counters, counter, 1);
  all.set(value, counters);
}

function increase(counters: Counters, counter: string, by: number): void {
  counters[counter] = (counters[counter] ?? 0) + by;
}

const single = (dimension: Part["dimension"], value: string | null): Part[] =>
  value === null ? [] : [{ dimension, value, counters: { count: 1 } }];
const partsOf = (dimension: Part["dimension"], all: ReadonlyMap<string, Counters>): Part[] =>
  [...all].map(([value, counters]) => ({ dimension, value, counters }));

const membersOf = (bytes: Buffer | undefined, within?: string): Members =>
  (bytes === undefined ? null : readMembers(bytes, deepest, maxEntries, within)) ?? none;

function valueOf(bytes: Buffer | undefined): unknown {
  return bytes === undefined || bytes.length > maxValueBytes ? undefined : JSON.parse(bytes.toString());
}

const textIn = (members: Members, name: string) => textOf(valueOf(members.get(name)));

/** Null for a text that is no version, language, country, system or id: empty, too long, or with hidden characters. */
function textOf(value: unknown): string | null {
  if (typeof value !== "string" || value.length > maxText) return null;
  const text = value.trim();
  return text === "" || unfit.test(text) ? null : text;
}

const unfit = /[\p{C}\p{Zl}\p{Zp}]/u;

/** Zero for what no head unit reports: it counts in 16 bits. */
function numberOf(value: unknown): number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= maxNumber ? value : 0;
}
