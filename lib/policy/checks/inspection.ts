import { AppFindingsStore, type AppFindings } from "@/lib/policy/checks/app-findings";
import { grantedVersion } from "@/lib/policy/table/app-policies";
import type { CompiledPolicy, OnEntry } from "@/lib/policy/table/compiled-policy";
import { cutMessage, limitEntryTexts } from "@/lib/policy/head-unit/entry-limits";
import { PolicyInspector } from "@/lib/policy/checks/findings";
import type { HeadUnitFinding } from "@/lib/policy/head-unit/head-unit-check";
import type { PolicySnapshot, SnapshotApp } from "@/lib/policy/table/snapshot";
import type { Environment } from "@/lib/words/vocabulary";

interface Log {
  warn(details: object, message: string): void;
}
type Policies = Readonly<Record<Environment, CompiledPolicy>>;

/**
 * Looks at what is compiled with the eyes of a head unit, says what it finds in the log, and keeps it for administrators
 * (rule G9). Nothing of it is done before an answer that waits for a compilation is on its way.
 */
export class Inspection {
  readonly #log: Log;
  readonly #inspectors = new WeakMap<CompiledPolicy, PolicyInspector>();
  readonly #apps = { staging: new AppFindingsStore(), production: new AppFindingsStore() };
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
    return this.#inspectors.get(policy)?.inspectEntry(uuid, text) ?? [];
  }

  /** Told of the entries that a policy compiles. */
  readonly onEntry: OnEntry = (app, { text }, policy) => {
    setImmediate(() => {
      const { environment } = policy;
      const findings = this.inspectEntry(policy, app.uuid, text);
      this.#apps[environment].put(app, findings);
      this.#logFindings(environment, findings);
      this.#logCuts(environment, app);
    });
  };

  /** Looks at the shared sections of a policy that is to go into service. */
  inspect(policy: CompiledPolicy): void {
    const inspector = new PolicyInspector(policy);
    this.#inspectors.set(policy, inspector);
    this.#logFindings(policy.environment, inspector.shared);
  }

  /** Takes over what was found in policies that go into service; what is known of apps is looked at again. */
  takeOver(policies: Policies, { apps }: PolicySnapshot): void {
    const shared = (environment: Environment) => this.#inspectors.get(policies[environment])?.shared ?? [];
    this.#shared = { staging: shared("staging"), production: shared("production") };
    for (const policy of Object.values(policies)) {
      const store = this.#apps[policy.environment];
      store.keepOnly(apps);
      // Compiles an entry that another record has changed, which tells `onEntry`. So many are few.
      for (const { uuid } of store.list()) policy.entryOf(uuid, true);
    }
  }

  #logFindings(environment: Environment, findings: readonly HeadUnitFinding[]): void {
    for (const { build, severity, path, message } of findings) {
      // The compiler has logged what it replaced.
      if (severity === "stranded") continue;
      this.#log.warn({ environment, build, severity, path, finding: message }, "head units object to the policy table");
    }
  }

  /** Rule A30, for records that were stored before their texts were cut. */
  #logCuts(environment: Environment, app: SnapshotApp): void {
    const version = grantedVersion(app, environment);
    for (const { field, what } of version ? limitEntryTexts(version).cuts : []) {
      this.#log.warn({ environment, uuid: app.uuid, application: version?.id, field, what }, cutMessage);
    }
  }
}
