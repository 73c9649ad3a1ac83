import { grantedVersion } from "@/lib/policy/table/app-policies";
import type { CompiledPolicy, OnEntry } from "@/lib/policy/table/compiled-policy";
import { cutMessage, limitEntryTexts } from "@/lib/policy/head-unit/entry-limits";
import { findInEntry, findInShared, type SharedFindings } from "@/lib/policy/checks/findings";
import type { HeadUnitFinding } from "@/lib/policy/head-unit/head-unit-check";
import type { AppCatalogue, PolicySnapshot, SnapshotApp } from "@/lib/policy/table/snapshot";
import type { Environment } from "@/lib/labels/vocabulary";

interface Log {
  warn(details: object, message: string): void;
}
/** Apps and sections whose last findings are remembered, so that the log does not repeat them. */
const maxTold = 1_000;
/** Findings in one line of the log. */
const maxListed = 20;
const allOf = ({ ofHeadUnits, beyond }: SharedFindings): readonly HeadUnitFinding[] => [...ofHeadUnits, ...beyond];
type Policies = Readonly<Record<Environment, CompiledPolicy>>;

/** Findings about the entry of one app, oldest first in lists of them. */
export interface AppFindings {
  readonly uuid: string;
  readonly findings: readonly HeadUnitFinding[];
}

/** Apps whose findings are kept in one environment: what is said of thousands of apps nobody reads. */
const maxApps = 200;

/**
 * What head units object to in entries of apps, as far as they have been compiled and looked at. Bounded: of more apps
 * the latest ones are kept.
 */
class AppFindingsStore {
  readonly #kept = new Map<string, { readonly app: SnapshotApp; readonly findings: readonly HeadUnitFinding[] }>();

  /** Replaces what is known of an app; nothing is kept of one without findings. */
  put(app: SnapshotApp, findings: readonly HeadUnitFinding[]): void {
    this.#kept.delete(app.uuid);
    if (findings.length === 0) return;
    this.#kept.set(app.uuid, { app, findings });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > maxApps && oldest !== undefined) this.#kept.delete(oldest);
  }

  /** Forgets what is not so any more: apps that are gone or were changed are looked at again when they are asked for. */
  keepOnly(apps: AppCatalogue): void {
    for (const [uuid, { app }] of this.#kept) if (apps.byUuid(uuid.toLowerCase()) !== app) this.#kept.delete(uuid);
  }

  list(): readonly AppFindings[] {
    return [...this.#kept.values()].map(({ app: { uuid }, findings }) => ({ uuid, findings }));
  }
}

/**
 * Looks at what is compiled with the eyes of a head unit, says what it finds in the log, and keeps it for administrators
 * (rule G9). Nothing of it is done before an answer that waits for a compilation is on its way.
 */
export class Inspection {
  readonly #log: Log;
  readonly #inspected = new WeakMap<CompiledPolicy, SharedFindings>();
  readonly #apps = { staging: new AppFindingsStore(), production: new AppFindingsStore() };
  /** What was logged last. */
  readonly #told = new Map<string, string>();
  #shared: Readonly<Record<Environment, readonly HeadUnitFinding[]>> = { staging: [], production: [] };

  constructor(log: Log) {
    this.#log = log;
  }

  /** What head units would object to in the sections that every answer holds. */
  shared(environment: Environment): readonly HeadUnitFinding[] {
    return this.#shared[environment];
  }

  apps(environment: Environment): readonly AppFindings[] {
    return this.#apps[environment].list();
  }

  /** What head units would object to in an entry of a policy, given without its closing brace. */
  inspectEntry(policy: CompiledPolicy, uuid: string, text: string): readonly HeadUnitFinding[] {
    const shared = this.#inspected.get(policy);
    return shared ? findInEntry(uuid, text, shared.groups) : [];
  }

  /** Told of the entries that a policy compiles. */
  readonly onEntry: OnEntry = (app, { text }, policy) => {
    setImmediate(() => {
      const { environment } = policy;
      const findings = this.inspectEntry(policy, app.uuid, text);
      this.#apps[environment].put(app, findings);
      this.#logFindings(environment, app.uuid, findings);
      this.#logCuts(environment, app);
    });
  };

  /** Looks at the shared sections of a policy that is to go into service. */
  inspect(policy: CompiledPolicy): void {
    const shared = findInShared(policy);
    this.#inspected.set(policy, shared);
    this.#logFindings(policy.environment, "", allOf(shared));
  }

  /** Takes over what was found in policies that go into service; what is known of apps is looked at again. */
  takeOver(policies: Policies, { apps }: PolicySnapshot): void {
    const shared = (environment: Environment) => {
      const found = this.#inspected.get(policies[environment]);
      return found ? allOf(found) : [];
    };
    this.#shared = { staging: shared("staging"), production: shared("production") };
    for (const policy of Object.values(policies)) {
      const store = this.#apps[policy.environment];
      store.keepOnly(apps);
      // Compiles an entry that another record has changed, which tells `onEntry`. So many are few.
      for (const { uuid } of store.list()) policy.entryOf(uuid, true);
    }
  }

  /**
   * One line for what is found of one app, or of the shared sections (`""`), and only when that is not what was found last.
   */
  #logFindings(environment: Environment, of: string, found: readonly HeadUnitFinding[]): void {
    // The compiler has logged what it replaced.
    const findings = found.filter(({ severity }) => severity !== "stranded");
    const [key, text] = [`${environment} ${of}`, JSON.stringify(findings)];
    if (text === (this.#told.get(key) ?? "[]")) return;
    this.#told.delete(key);
    if (findings.length === 0) return;
    this.#told.set(key, text);
    const [oldest] = this.#told.keys();
    if (this.#told.size > maxTold && oldest !== undefined) this.#told.delete(oldest);
    const listed = findings
      .slice(0, maxListed)
      .map(({ build, severity, path, message }) => ({ build, severity, path, finding: message }));
    const details = { environment, count: findings.length, findings: listed };
    this.#log.warn(of === "" ? details : { ...details, uuid: of }, "head units object to the policy table");
  }

  /** Rule A30, for records that were stored before their texts were cut. */
  #logCuts(environment: Environment, app: SnapshotApp): void {
    const version = grantedVersion(app, environment);
    for (const { field, what } of version ? limitEntryTexts(version).cuts : []) {
      this.#log.warn({ environment, uuid: app.uuid, application: version?.id, field, what }, cutMessage);
    }
  }
}
