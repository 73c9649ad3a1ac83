"one per process";

import { groupFinderOf, prepareGroupRules, type AppGroupRules } from "@/lib/policy/table/app-groups";
import {
  buildAppEntry,
  buildFixedEntries,
  entryContext,
  fixedEntryNames,
  grantedVersion,
  hmiTypes,
  type AppPolicyContext,
} from "@/lib/policy/table/app-policies";
import { CompiledEntry } from "@/lib/policy/table/compiled-entry";
import type { HeadUnitFinding } from "@/lib/policy/head-unit/finding";
import { Fragment } from "@/lib/policy/gzip/fragment";
import { Deflater, type Pieces } from "@/lib/policy/gzip/pieces";
import { promptlessGroups } from "@/lib/policy/table/functional-groupings";
import { matchApp } from "@/lib/policy/table/match-app";
import { isOlderHmiType } from "@/lib/policy/table/older-cars";
import type {
  PolicyOptions,
  PolicySnapshot,
  SnapshotApp,
  SnapshotAppVersion,
  SnapshotGroup,
} from "@/lib/policy/table/snapshot";
import {
  buildSharedSections,
  type Edition,
  openingLists,
  type SharedSections,
} from "@/lib/policy/table/shared-sections";
import { findStranding } from "@/lib/policy/table/stranding";
import type { Report } from "@/lib/policy/table/vehicle-data";
import { namesOf } from "@/lib/vocabulary/members";
import type { Environment } from "@/lib/vocabulary/terms";

/** The entry of an app id: its own, `null` for a blacklisted app, or the default policy. */
export type AppEntry = CompiledEntry | "null" | "default";

/** Called for every compiled app entry that differs from the previous one. */
export type OnEntry = (app: SnapshotApp, entry: CompiledEntry, policy: CompiledPolicy) => void;

export interface CompileExtras {
  /** Policies with much of the same text, whose compressed pieces are taken over. */
  readonly similar?: readonly CompiledPolicy[];
  /** The policy in service; unchanged app entries keep their compressed form. */
  readonly earlier?: CompiledPolicy | null | undefined;
  readonly onEntry?: OnEntry | undefined;
  /** The policy of the same revision and environment with which memory is shared (`fleet.md` S14). */
  readonly beside?: CompiledPolicy | undefined;
}

/** A view has no module config, so no table can be built. */
export class NoModuleConfigError extends Error {
  override readonly name = "NoModuleConfigError";
  constructor(environment: Environment) {
    super(`the ${environment} view holds no module config`);
  }
}

/**
 * Immutable to its users (rules K1, K2, K4). Entries are compiled on first use and kept, so the cost of a revision does
 * not grow with the number of stored apps.
 */
export class CompiledPolicy {
  readonly environment: Environment;
  readonly revision: number;
  readonly sections: Readonly<Record<Edition, SharedSections>>;
  readonly #openings: ReadonlyMap<Edition, readonly Fragment[]>;
  readonly pieces: Pieces;
  /** The three fixed entries, and the ends of `app_policies`, the table and the whole answer. */
  readonly closing: Fragment;
  readonly promptless: readonly SnapshotGroup[];
  /** Replaced values that would have stopped the updates of vehicles for good. */
  readonly stranding: readonly HeadUnitFinding[];
  readonly snapshot: PolicySnapshot;
  readonly rules: AppGroupRules;
  readonly #context: AppPolicyContext;
  readonly #entries = new Map<SnapshotApp, CompiledEntry>();
  readonly #onEntry: OnEntry;
  /** Entries of the previous revision: equal bytes keep their compressed form. Unchanged apps are the same objects. */
  readonly #earlier: ReadonlyMap<SnapshotApp, CompiledEntry>;
  readonly #beside: CompiledPolicy | undefined;

  constructor(
    snapshot: PolicySnapshot,
    environment: Environment,
    parts: Pick<CompiledPolicy, "sections" | "pieces" | "closing" | "stranding"> & {
      readonly openings: ReadonlyMap<Edition, readonly Fragment[]>;
    },
    { earlier, onEntry, beside }: CompileExtras,
  ) {
    this.environment = environment;
    this.revision = snapshot.revision;
    this.sections = parts.sections;
    this.pieces = parts.pieces;
    this.#openings = parts.openings;
    this.closing = parts.closing;
    this.stranding = parts.stranding;
    this.promptless = promptlessGroups(snapshot, environment);
    this.snapshot = snapshot;
    this.#onEntry = onEntry ?? (() => undefined);
    this.#earlier = earlier ? earlier.#entries : new Map();
    this.#beside = beside;
    this.rules = prepareGroupRules(snapshot, environment);
    this.#context = entryContext(snapshot, environment, groupFinderOf(this.rules));
  }

  /** The shared sections for long or short app ids. `isOlder`: for Core before 5.0 (rule R8), which uses short ones. */
  opening(fullAppIdSupported: boolean, isOlder = false): Fragment {
    const [fragment, ...others] = this.openingParts(fullAppIdSupported, isOlder);
    if (!fragment || others.length > 0) throw new TypeError("the shared sections of this policy are in parts");
    return fragment;
  }

  /** The same in parts, of which there are several only if the policy shares memory with another one. */
  openingParts(fullAppIdSupported: boolean, isOlder = false): readonly Fragment[] {
    const parts = this.#openings.get(isOlder ? "older" : fullAppIdSupported ? "long" : "short");
    if (!parts) throw new TypeError("a compiled policy holds its shared sections for every head unit");
    return parts;
  }

  /** The entry of an app id in any case (rules A2 to A5). `fullAppIdSupported`: uuids count besides short ids. */
  entryOf(id: string, fullAppIdSupported: boolean, isOlder = false): AppEntry {
    const app = matchApp(this.snapshot.apps, id, fullAppIdSupported);
    const entry = app ? this.#entry(app) : "default";
    return isOlder && typeof entry === "object" ? entry.older : entry;
  }

  #entry(app: SnapshotApp): AppEntry {
    if (app.isBlacklisted) return "null";
    const known = this.#entries.get(app);
    if (known) return known;
    const version = grantedVersion(app, this.environment);
    if (!version) return "default";
    const text = buildAppEntry(app, version, this.#context);
    const beside = this.#beside === undefined ? null : this.#beside.#entry(app);
    const shared = typeof beside === "object" && beside?.text === text ? beside : null;
    const earlier = shared ?? this.#earlier.get(app);
    // The entry for older head units depends only on it.
    const isSame = earlier?.text === text;
    const entry = isSame ? earlier : new CompiledEntry(text, storedIdsOf(app), this.#olderText(app, version));
    this.#entries.set(app, entry);
    if (!isSame) this.#onEntry(app, entry, this);
    return entry;
  }

  /** Undefined if it is the same. */
  #olderText(app: SnapshotApp, version: SnapshotAppVersion): string | undefined {
    if (hmiTypes(version).every(isOlderHmiType)) return undefined;
    return buildAppEntry(app, version, this.#context, isOlderHmiType);
  }
}

const storedIdsOf = ({ uuid, shortIds }: SnapshotApp) => [uuid, ...shortIds.map(({ shortId }) => shortId)];

/**
 * Rules G1 to G7. Lets waiting requests run between its steps, and compresses on another thread. Throws
 * NoModuleConfigError, RangeError (rule C1); the policy in service then stays.
 */
export async function compilePolicy(
  snapshot: PolicySnapshot,
  environment: Environment,
  options: PolicyOptions,
  report: Report,
  extras: CompileExtras = {},
): Promise<CompiledPolicy> {
  if (snapshot.moduleConfigs[environment].length === 0) throw new NoModuleConfigError(environment);
  const sections = buildSharedSections(snapshot, environment, options, report);
  await giveWay();
  const deflater = new Deflater(extras.similar ?? []);
  const openings = new Map<Edition, readonly Fragment[]>();
  for (const edition of namesOf(sections)) {
    const lists = openingLists(sections[edition]);
    const { beside } = extras;
    openings.set(
      edition,
      beside === undefined ? [await deflater.deflate(lists)] : await deflater.deflateBeside(beside.pieces, lists),
    );
    await giveWay();
  }
  const fixed = buildFixedEntries(snapshot, environment);
  const closing = await new Fragment(closingText(fixed)).deflateAhead();
  await giveWay();
  const stranding = findStranding(snapshot, environment);
  reportStranding(stranding, report);
  const { pieces } = deflater;
  return new CompiledPolicy(snapshot, environment, { sections, openings, pieces, closing, stranding }, extras);
}

/** One log line, however many there are. */
function reportStranding([first, ...rest]: readonly HeadUnitFinding[], report: Report): void {
  if (first === undefined) return;
  const others = rest.length > 0 ? ` (and ${rest.length} more)` : "";
  report({
    record: first.path,
    reason: `replaced, because it would end the updates of cars${others}: ${first.message}`,
  });
}

function closingText(fixed: ReturnType<typeof buildFixedEntries>): string {
  return `${fixedEntryNames.map((name) => `"${name}":${fixed[name]}`).join(",")}}}}]}`;
}

function giveWay(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
