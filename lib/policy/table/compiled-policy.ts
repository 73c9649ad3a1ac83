import { errorNamed } from "@/lib/errors";
import { groupFinderOf, prepareGroupRules, type AppGroupRules } from "@/lib/policy/table/app-groups";
import {
  buildAppEntry,
  buildFixedEntries,
  fixedEntryNames,
  grantedVersion,
  type AppPolicyContext,
} from "@/lib/policy/table/app-policies";
import { CompiledEntry } from "@/lib/policy/table/compiled-entry";
import { buildConsumerMessages } from "@/lib/policy/table/consumer-messages";
import { Fragment } from "@/lib/policy/gzip/fragment";
import { buildFunctionalGroupings, promptlessGroups } from "@/lib/policy/table/functional-groupings";
import { matchApp } from "@/lib/policy/table/match-app";
import { buildModuleConfig } from "@/lib/policy/table/module-config";
import type { PolicyOptions, PolicySnapshot, SnapshotApp, SnapshotGroup } from "@/lib/policy/table/snapshot";
import { buildVehicleData, type Report } from "@/lib/policy/table/vehicle-data";
import type { Environment } from "@/lib/words/vocabulary";

/** What an app id gets: an entry of its own, `null` for a blacklisted app, or the default policy. */
export type AppEntry = CompiledEntry | "null" | "default";

/** Told of every app entry that was compiled and differs from the one before. */
export type OnEntry = (app: SnapshotApp, entry: CompiledEntry, policy: CompiledPolicy) => void;

export interface CompileExtras {
  /** The policy in service, whose unchanged app entries keep their compressed form. */
  readonly earlier?: CompiledPolicy | null | undefined;
  readonly onEntry?: OnEntry | undefined;
}

/** A view holds no module config, so no table can be built (rule G5). */
export class NoModuleConfigError extends Error {
  override readonly name = "NoModuleConfigError";
  constructor(environment: Environment) {
    super(`the ${environment} view holds no module config`);
  }
}

export const isNoModuleConfigError = errorNamed<NoModuleConfigError>("NoModuleConfigError");

/** The shared sections of a table as JSON text, by member name, in table order (rule G1). */
export interface SharedSections {
  readonly module_config: string;
  readonly vehicle_data: string;
  readonly functional_groupings: string;
  readonly consumer_friendly_messages: string;
}

/**
 * Everything that one environment answers with at one revision (rules K1, K2, K4).
 *
 * Immutable to its users. App entries are compiled when they are first asked for and kept: a revision costs no work that
 * grows with the number of stored apps.
 */
export class CompiledPolicy {
  readonly environment: Environment;
  readonly revision: number;
  /** The table from its opening brace up to the first app entry, for long (true) and short (false) app ids. */
  readonly #opening: ReadonlyMap<boolean, Fragment>;
  /** The three fixed entries, the end of `app_policies`, of the table and of the whole answer. */
  readonly closing: Fragment;
  /** Groups of the view that no list holds (rule F3). */
  readonly promptless: readonly SnapshotGroup[];
  /** What it was compiled from. */
  readonly snapshot: PolicySnapshot;
  /** The rules that give groups to apps; who explains an entry asks the same. */
  readonly rules: AppGroupRules;
  readonly #context: AppPolicyContext;
  readonly #entries = new Map<SnapshotApp, CompiledEntry>();
  readonly #onEntry: OnEntry;
  /** Entries of the revision before: equal bytes keep their compressed form. Unchanged apps are the same objects. */
  readonly #earlier: ReadonlyMap<SnapshotApp, CompiledEntry>;

  constructor(
    snapshot: PolicySnapshot,
    environment: Environment,
    parts: { opening: ReadonlyMap<boolean, Fragment>; closing: Fragment },
    { earlier, onEntry }: CompileExtras,
  ) {
    this.environment = environment;
    this.revision = snapshot.revision;
    this.#opening = parts.opening;
    this.closing = parts.closing;
    this.promptless = promptlessGroups(snapshot, environment);
    this.snapshot = snapshot;
    this.#onEntry = onEntry ?? (() => undefined);
    this.#earlier = earlier ? earlier.#entries : new Map();
    this.rules = prepareGroupRules(snapshot, environment);
    this.#context = {
      environment,
      findGroups: groupFinderOf(this.rules),
      permissions: new Map(snapshot.permissions.map((permission) => [permission.name, permission])),
    };
  }

  /** The table's shared sections for long or short app ids. */
  opening(fullAppIdSupported: boolean): Fragment {
    const fragment = this.#opening.get(fullAppIdSupported);
    if (!fragment) throw new TypeError("a compiled policy holds both variants of its module config");
    return fragment;
  }

  /**
   * What a requested app id gets (rules A2 to A5).
   *
   * @param id as requested, in any case
   * @param fullAppIdSupported long ids match uuids only, short ids short uuids only
   */
  entryOf(id: string, fullAppIdSupported: boolean): AppEntry {
    const app = matchApp(this.snapshot.apps, id, fullAppIdSupported);
    return app ? this.#entry(app) : "default";
  }

  #entry(app: SnapshotApp): AppEntry {
    if (app.isBlacklisted) return "null";
    const known = this.#entries.get(app);
    if (known) return known;
    const version = grantedVersion(app, this.environment);
    if (!version) return "default";
    const text = buildAppEntry(app, version, this.#context);
    const earlier = this.#earlier.get(app);
    const isSame = earlier?.text === text;
    const storedIds = [app.uuid, ...app.shortIds.map(({ shortId }) => shortId)];
    const entry = isSame ? earlier : new CompiledEntry(text, storedIds);
    this.#entries.set(app, entry);
    if (!isSame) this.#onEntry(app, entry, this);
    return entry;
  }
}

/**
 * Compiles the policy of one environment (rules G1 to G7, K1).
 *
 * Gives way to waiting requests between its steps, and compresses on another thread.
 *
 * @throws NoModuleConfigError, RangeError (rule C1); the policy in service then stays
 */
export async function compilePolicy(
  snapshot: PolicySnapshot,
  environment: Environment,
  options: PolicyOptions,
  report: Report,
  extras: CompileExtras = {},
): Promise<CompiledPolicy> {
  const long = buildSharedSections(snapshot, environment, options, report, true);
  await giveWay();
  const config = snapshot.moduleConfigs[environment][0];
  if (!config) throw new NoModuleConfigError(environment);
  const short = { ...long, module_config: buildModuleConfig(config, environment, options, false) };
  const opening = new Map([
    [true, await new Fragment(openingText(long)).deflateAhead()],
    [false, await new Fragment(openingText(short)).deflateAhead()],
  ]);
  const fixed = buildFixedEntries(snapshot, environment);
  const closing = await new Fragment(closingText(fixed)).deflateAhead();
  await giveWay();
  return new CompiledPolicy(snapshot, environment, { opening, closing }, extras);
}

/** The four shared sections of a table as JSON text (rule G1). */
function buildSharedSections(
  snapshot: PolicySnapshot,
  environment: Environment,
  options: PolicyOptions,
  report: Report,
  fullAppIdSupported: boolean,
): SharedSections {
  const config = snapshot.moduleConfigs[environment][0];
  if (!config) throw new NoModuleConfigError(environment);
  return {
    module_config: buildModuleConfig(config, environment, options, fullAppIdSupported),
    vehicle_data: buildVehicleData(snapshot, environment, report),
    functional_groupings: buildFunctionalGroupings(snapshot, environment),
    consumer_friendly_messages: buildConsumerMessages(snapshot, environment, report),
  };
}

function openingText(sections: SharedSections): string {
  return (
    `{"module_config":${sections.module_config},"vehicle_data":${sections.vehicle_data},` +
    `"functional_groupings":${sections.functional_groupings},` +
    `"consumer_friendly_messages":${sections.consumer_friendly_messages},"app_policies":{`
  );
}

/** Ends what `openingText` opened, and the envelope around it. */
function closingText(fixed: Record<(typeof fixedEntryNames)[number], string>): string {
  return `${fixedEntryNames.map((name) => `"${name}":${fixed[name]}`).join(",")}}}}]}`;
}

function giveWay(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
