import { grantedVersion } from "@/lib/policy/table/app-policies";
import type { CompiledPolicy, OnEntry } from "@/lib/policy/table/compiled-policy";
import { cutMessage, limitEntryTexts } from "@/lib/policy/head-unit/entry-limits";
import { findInEntry, findInShared, type SharedFindings } from "@/lib/policy/checks/findings";
import type { HeadUnitFinding } from "@/lib/policy/head-unit/head-unit-check";
import type { AppCatalogue, PolicySnapshot, SnapshotApp } from "@/lib/policy/table/snapshot";
import type { Environment } from "@/lib/vocabulary/terms";

interface Log {
  warn(details: object, message: string): void;
}
/** Apps and sections whose last findings are remembered, so that the log does not repeat them. */
const maxTold = 1_000;
const maxListed = 20;
const allOf = ({ ofHeadUnits, beyond }: SharedFindings): readonly HeadUnitFinding[] => [...ofHeadUnits, ...beyond];
type Policies = Readonly<Record<Environment, CompiledPolicy>>;

export interface AppFindings {
  readonly uuid: string;
  readonly findings: readonly HeadUnitFinding[];
}

/** Maximum number of apps with findings kept per environment, because nobody reads findings about thousands of apps. */
const maxApps = 200;

/** Findings in app entries that have been compiled and checked. Bounded: only the latest apps are kept. */
class AppFindingsStore {
  readonly #kept = new Map<string, { readonly app: SnapshotApp; readonly findings: readonly HeadUnitFinding[] }>();

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

/** Checks what is compiled, logs and keeps the findings (rule G9), only after the waiting answer is sent. */
export class Inspection {
  readonly #log: Log;
  readonly #inspected = new WeakMap<CompiledPolicy, SharedFindings>();
  readonly #apps = { staging: new AppFindingsStore(), production: new AppFindingsStore() };
  readonly #told = new Map<string, string>();
  #shared: Readonly<Record<Environment, readonly HeadUnitFinding[]>> = { staging: [], production: [] };

  constructor(log: Log) {
    this.#log = log;
  }

  shared(environment: Environment): readonly HeadUnitFinding[] {
    return this.#shared[environment];
  }

  apps(environment: Environment): readonly AppFindings[] {
    return this.#apps[environment].list();
  }

  inspectEntry(policy: CompiledPolicy, uuid: string, text: string): readonly HeadUnitFinding[] {
    const shared = this.#inspected.get(policy);
    return shared ? findInEntry(uuid, text, shared.groups) : [];
  }

  readonly onEntry: OnEntry = (app, { text }, policy) => {
    setImmediate(() => {
      const { environment } = policy;
      const findings = this.inspectEntry(policy, app.uuid, text);
      this.#apps[environment].put(app, findings);
      this.#logFindings(environment, app.uuid, findings);
      this.#logCuts(environment, app);
    });
  };

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

  /** `of` is the uuid of an app, or `""` for the shared sections. Logs only if the findings have changed. */
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

  /** For records stored before texts were cut. */
  #logCuts(environment: Environment, app: SnapshotApp): void {
    const version = grantedVersion(app, environment);
    for (const { field, what } of version ? limitEntryTexts(version).cuts : []) {
      this.#log.warn({ environment, uuid: app.uuid, application: version?.id, field, what }, cutMessage);
    }
  }
}
