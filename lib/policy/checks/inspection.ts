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
/** Maximum number of findings in one log line. */
const maxListed = 20;
const allOf = ({ ofHeadUnits, beyond }: SharedFindings): readonly HeadUnitFinding[] => [...ofHeadUnits, ...beyond];
type Policies = Readonly<Record<Environment, CompiledPolicy>>;

/** Findings about the entry of one app; lists start with the oldest. */
export interface AppFindings {
  readonly uuid: string;
  readonly findings: readonly HeadUnitFinding[];
}

/** Maximum number of apps with findings kept per environment, because nobody reads findings about thousands of apps. */
const maxApps = 200;

/**
 * Problems that head units would report in app entries that have been compiled and checked. Bounded: only the latest
 * apps are kept.
 */
class AppFindingsStore {
  readonly #kept = new Map<string, { readonly app: SnapshotApp; readonly findings: readonly HeadUnitFinding[] }>();

  /** Replaces what is known about an app; nothing is kept for an app without findings. */
  put(app: SnapshotApp, findings: readonly HeadUnitFinding[]): void {
    this.#kept.delete(app.uuid);
    if (findings.length === 0) return;
    this.#kept.set(app.uuid, { app, findings });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > maxApps && oldest !== undefined) this.#kept.delete(oldest);
  }

  /** Forgets outdated findings: apps that are gone or have changed are checked again when they are requested. */
  keepOnly(apps: AppCatalogue): void {
    for (const [uuid, { app }] of this.#kept) if (apps.byUuid(uuid.toLowerCase()) !== app) this.#kept.delete(uuid);
  }

  list(): readonly AppFindings[] {
    return [...this.#kept.values()].map(({ app: { uuid }, findings }) => ({ uuid, findings }));
  }
}

/**
 * Checks what is compiled the way a head unit would, logs the findings, and keeps them for administrators (rule G9).
 * Does none of this before an answer that waits for a compilation has been sent.
 */
export class Inspection {
  readonly #log: Log;
  readonly #inspected = new WeakMap<CompiledPolicy, SharedFindings>();
  readonly #apps = { staging: new AppFindingsStore(), production: new AppFindingsStore() };
  /** What was last logged. */
  readonly #told = new Map<string, string>();
  #shared: Readonly<Record<Environment, readonly HeadUnitFinding[]>> = { staging: [], production: [] };

  constructor(log: Log) {
    this.#log = log;
  }

  /** Problems that head units would report in the sections that every answer contains. */
  shared(environment: Environment): readonly HeadUnitFinding[] {
    return this.#shared[environment];
  }

  apps(environment: Environment): readonly AppFindings[] {
    return this.#apps[environment].list();
  }

  /** Problems that head units would report in an entry of a policy, passed without its closing brace. */
  inspectEntry(policy: CompiledPolicy, uuid: string, text: string): readonly HeadUnitFinding[] {
    const shared = this.#inspected.get(policy);
    return shared ? findInEntry(uuid, text, shared.groups) : [];
  }

  /** Called for the entries that a policy compiles. */
  readonly onEntry: OnEntry = (app, { text }, policy) => {
    setImmediate(() => {
      const { environment } = policy;
      const findings = this.inspectEntry(policy, app.uuid, text);
      this.#apps[environment].put(app, findings);
      this.#logFindings(environment, app.uuid, findings);
      this.#logCuts(environment, app);
    });
  };

  /** Checks the shared sections of a policy that is about to go into service. */
  inspect(policy: CompiledPolicy): void {
    const shared = findInShared(policy);
    this.#inspected.set(policy, shared);
    this.#logFindings(policy.environment, "", allOf(shared));
  }

  /** Adopts the findings of policies that go into service, and checks apps with known findings again. */
  takeOver(policies: Policies, { apps }: PolicySnapshot): void {
    const shared = (environment: Environment) => {
      const found = this.#inspected.get(policies[environment]);
      return found ? allOf(found) : [];
    };
    this.#shared = { staging: shared("staging"), production: shared("production") };
    for (const policy of Object.values(policies)) {
      const store = this.#apps[policy.environment];
      store.keepOnly(apps);
      // Compiles entries that another record has changed, which calls `onEntry`. There are never many.
      for (const { uuid } of store.list()) policy.entryOf(uuid, true);
    }
  }

  /**
   * Logs one line for the findings of one app, or of the shared sections (`""`), and only if they have changed.
   */
  #logFindings(environment: Environment, of: string, found: readonly HeadUnitFinding[]): void {
    // The compiler has already logged what it replaced.
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
    this.#log.warn(
      of === "" ? details : { ...details, uuid: of },
      "head units would report problems with the policy table",
    );
  }

  /** Rule A30, for records stored before texts were cut. */
  #logCuts(environment: Environment, app: SnapshotApp): void {
    const version = grantedVersion(app, environment);
    for (const { field, what } of version ? limitEntryTexts(version).cuts : []) {
      this.#log.warn({ environment, uuid: app.uuid, application: version?.id, field, what }, cutMessage);
    }
  }
}
