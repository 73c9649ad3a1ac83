import { setTimeout as wait } from "node:timers/promises";
import { compilePolicy, type CompiledPolicy, type OnEntry } from "@/lib/policy/compiled-policy";
import { PolicyInspector } from "@/lib/policy/findings";
import type { HeadUnitFinding } from "@/lib/policy/head-unit-check";
import type { PolicyOptions, PolicySnapshot } from "@/lib/policy/snapshot";
import type { Report } from "@/lib/policy/vehicle-data";
import type { Environment } from "@/lib/policy/vocabulary";

/** Where the runtime gets its data from; tests put their own here. */
export interface PolicySource {
  /** Makes the database usable: connection, indexes, first data. Called again until it succeeds. */
  open(): Promise<void>;
  /** The number of the newest committed revision. */
  readRevision(): Promise<number>;
  /** Everything the compiler needs, of one point in time. */
  load(): Promise<PolicySnapshot>;
  /** Calls back after every commit of this process; returns a function that ends it. */
  onRevision(listener: () => void): () => void;
  /** The snapshot kept on disk, or null (rule K6). */
  loadSaved(): Promise<PolicySnapshot | null>;
  save(snapshot: PolicySnapshot): Promise<void>;
}

export interface RuntimeOptions {
  readonly source: PolicySource;
  readonly database: "embedded" | "mongodb";
  /** Settings and certificates that reach the table. */
  readonly policyOptions: (snapshot: PolicySnapshot) => PolicyOptions | Promise<PolicyOptions>;
  readonly log: {
    info(details: object, message: string): void;
    warn(details: object, message: string): void;
    error(details: object, message: string): void;
  };
  /** Time between two looks at the revision, in milliseconds. */
  readonly pollMs?: number;
  /** Time that a new snapshot waits before it is written to disk, in milliseconds. */
  readonly saveDelayMs?: number;
  /** Called when the database can never be used as it is; trying again would only hide it. */
  readonly onRefusal?: (error: Error) => void;
  /** Called once, when the database has been read for the first time. */
  readonly afterFirstLoad?: () => void;
  readonly now?: () => number;
}

export interface RuntimeStatus {
  /** `starting`: no policy yet. `degraded`: vehicles are answered, but the newest state of the database is unknown. */
  readonly state: "starting" | "ready" | "degraded";
  readonly revision: number | null;
  /** When the policies in service were compiled, in milliseconds since 1970. */
  readonly builtAt: number | null;
  readonly apps: number;
  readonly groups: Readonly<Record<Environment, number>>;
  readonly messages: Readonly<Record<Environment, number>>;
  readonly database: "embedded" | "mongodb";
  readonly lastError: string | null;
}

type Policies = Readonly<Record<Environment, CompiledPolicy>>;

const defaultPollMs = 1_000;
const defaultSaveDelayMs = 2_000;
/** At least this many times as long as the last save took passes before the next one: thousands of apps take a while. */
const restAfterSave = 9;

/**
 * Keeps the compiled policies of both environments in step with the database (rules K3 to K6).
 *
 * A new revision is noticed at once when this process made it, else within `pollMs`. While the database is away or a
 * build fails, the policies in service stay.
 */
export class PolicyRuntime {
  readonly #options: RuntimeOptions;
  readonly #stopping = new AbortController();
  #policies: Policies | null = null;
  #snapshot: PolicySnapshot | null = null;
  #findings: Readonly<Record<Environment, readonly HeadUnitFinding[]>> = { staging: [], production: [] };
  #builtAt: number | null = null;
  #lastError: string | null = null;
  #isCurrent = false;
  #loop: Promise<void> | null = null;
  #wake: AbortController = new AbortController();
  #isFirst = true;
  #saving: Promise<void> = Promise.resolve();
  #isSaveDue = false;
  #unsaved: PolicySnapshot | null = null;
  #lastSaveMs = 0;
  /** The revision on disk. */
  #savedRevision: number | null = null;

  constructor(options: RuntimeOptions) {
    this.#options = options;
  }

  /** Starts in the background; `ready` tells when the first policy is in service. */
  start(): void {
    this.#loop ??= this.#run();
  }

  /** Ends the background work and waits for a build or save under way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wake.abort();
    await this.#loop;
    await this.#saving;
  }

  /** The policy in service, or null while there is none. */
  policy(environment: Environment): CompiledPolicy | null {
    return this.#policies?.[environment] ?? null;
  }

  /** What the policies in service were compiled from, or null while there are none. */
  get snapshot(): PolicySnapshot | null {
    return this.#snapshot;
  }

  /** What head units would object to in the sections that every answer holds (rule G9). */
  findings(environment: Environment): readonly HeadUnitFinding[] {
    return this.#findings[environment];
  }

  /** Whether the database has been read and the policies are those of its newest known revision. */
  get isCurrent(): boolean {
    return this.#isCurrent;
  }

  status(): RuntimeStatus {
    const snapshot = this.#snapshot;
    const count = (records: (environment: Environment) => readonly { isDeleted: boolean }[] | undefined) => ({
      staging: records("staging")?.filter((one) => !one.isDeleted).length ?? 0,
      production: records("production")?.filter((one) => !one.isDeleted).length ?? 0,
    });
    return {
      state: this.#policies === null ? "starting" : this.#isCurrent ? "ready" : "degraded",
      revision: snapshot?.revision ?? null,
      builtAt: this.#builtAt,
      apps: snapshot?.apps.size ?? 0,
      groups: count((environment) => snapshot?.groups[environment]),
      messages: count((environment) => snapshot?.messages[environment]),
      database: this.#options.database,
      lastError: this.#lastError,
    };
  }

  async #run(): Promise<void> {
    const opened = this.#openUntilDone();
    await this.#serveSaved();
    await opened;
    const { source, pollMs = defaultPollMs } = this.#options;
    const forget = source.onRevision(() => this.#wake.abort());
    while (!this.#stopping.signal.aborted) {
      // Taken before the look, so that a commit during it wakes the next round.
      this.#wake = new AbortController();
      await this.#look();
      await pause(pollMs, this.#wake.signal);
    }
    forget();
  }

  async #openUntilDone(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      try {
        await this.#options.source.open();
        return;
      } catch (error) {
        if (error instanceof Error && error.name === "DatabaseRefused") this.#options.onRefusal?.(error);
        this.#fail("the database cannot be used", error);
        await pause(defaultPollMs, this.#stopping.signal);
      }
    }
  }

  /** Vehicles are served from the last state on disk until the database has been read. */
  async #serveSaved(): Promise<void> {
    try {
      const saved = await this.#options.source.loadSaved();
      // The database may have been quicker.
      if (saved && this.#policies === null) {
        this.#savedRevision = saved.revision;
        await this.#compile(saved);
        this.#options.log.info({ revision: saved.revision }, "serving the policy kept on disk");
      }
    } catch (error) {
      this.#fail("the policy kept on disk cannot be used", error);
    }
  }

  /** One look at the revision; a new one is loaded, compiled and put in service. */
  async #look(): Promise<void> {
    try {
      const revision = await this.#options.source.readRevision();
      if (!this.#isCurrent || revision !== this.#snapshot?.revision) await this.#renew();
      this.#isCurrent = true;
      this.#lastError = null;
    } catch (error) {
      if (!this.#stopping.signal.aborted)
        this.#fail("the policy cannot be renewed; the last one stays in service", error);
    }
  }

  async #renew(): Promise<void> {
    const start = performance.now();
    const snapshot = await this.#options.source.load();
    await this.#compile(snapshot);
    const milliseconds = Math.round(performance.now() - start);
    this.#options.log.info({ revision: snapshot.revision, apps: snapshot.apps.size, milliseconds }, "policy compiled");
    this.#saveLater(snapshot);
    if (this.#isFirst) this.#options.afterFirstLoad?.();
    this.#isFirst = false;
  }

  /**
   * Keeps the newest snapshot on disk, a while after it came: many revisions in a row are one write. One that was read
   * from there is not written again.
   */
  #saveLater(snapshot: PolicySnapshot): void {
    if (snapshot.revision === this.#savedRevision) return;
    this.#unsaved = snapshot;
    if (this.#isSaveDue) return;
    this.#isSaveDue = true;
    const delay = Math.max(this.#options.saveDelayMs ?? defaultSaveDelayMs, this.#lastSaveMs * restAfterSave);
    this.#saving = this.#saving.then(() => pause(delay, this.#stopping.signal)).then(() => this.#save());
  }

  async #save(): Promise<void> {
    this.#isSaveDue = false;
    const snapshot = this.#unsaved;
    if (snapshot === null) return;
    this.#unsaved = null;
    const start = performance.now();
    try {
      await this.#options.source.save(snapshot);
      this.#savedRevision = snapshot.revision;
    } catch (error) {
      this.#options.log.warn({ err: error }, "the policy cannot be kept on disk");
    }
    this.#lastSaveMs = performance.now() - start;
  }

  /** Both environments change together, and only when both are ready (rules K4, K5). */
  async #compile(snapshot: PolicySnapshot): Promise<void> {
    const options = await this.#options.policyOptions(snapshot);
    const staging = await this.#build(snapshot, "staging", options);
    const production = await this.#build(snapshot, "production", options);
    this.#policies = { staging: staging.policy, production: production.policy };
    this.#findings = { staging: staging.inspector.shared, production: production.inspector.shared };
    this.#snapshot = snapshot;
    this.#builtAt = (this.#options.now ?? Date.now)();
  }

  async #build(snapshot: PolicySnapshot, environment: Environment, options: PolicyOptions) {
    const earlier = this.#policies?.[environment];
    // The check of an entry is no part of an answer: it waits until the answer is on its way.
    const onEntry: OnEntry = (app, fragment) => {
      setImmediate(() => {
        this.#logFindings(environment, inspector.inspectEntry(app.uuid, fragment));
      });
    };
    const policy = await compilePolicy(snapshot, environment, options, this.#report(environment), { earlier, onEntry });
    const inspector = new PolicyInspector(policy);
    this.#logFindings(environment, inspector.shared);
    return { policy, inspector };
  }

  /** Rule G9: what head units would refuse is said, with the record concerned. */
  #logFindings(environment: Environment, findings: readonly HeadUnitFinding[]): void {
    for (const { build, severity, path, message } of findings) {
      this.#options.log.warn(
        { environment, build, severity, path, finding: message },
        "head units object to the policy table",
      );
    }
  }

  #report(environment: Environment): Report {
    return (problem) => {
      this.#options.log.warn({ environment, ...problem }, "left out of the policy table");
    };
  }

  #fail(message: string, error: unknown): void {
    this.#isCurrent = false;
    const reason = error instanceof Error ? error.name : "unknown";
    // The same failure every second is one line, not one a second.
    if (this.#lastError !== `${message} (${reason})`) this.#options.log.error({ err: error }, message);
    this.#lastError = `${message} (${reason})`;
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await wait(milliseconds, undefined, { signal }).catch(() => undefined);
}
