import type { AppFindings } from "@/lib/policy/checks/app-findings";
import { compilePolicy, type CompiledPolicy } from "@/lib/policy/table/compiled-policy";
import type { HeadUnitFinding } from "@/lib/policy/head-unit/head-unit-check";
import type { Inspection } from "@/lib/policy/checks/inspection";
import type { PolicyOptions, PolicySnapshot } from "@/lib/policy/table/snapshot";
import type { SavedSnapshot } from "@/lib/policy/saved/snapshot-file";
import { SnapshotKeeper, type SnapshotPlace } from "@/lib/policy/saved/snapshot-keeper";
import type { Report } from "@/lib/policy/table/vehicle-data";
import type { Environment } from "@/lib/words/vocabulary";
import { pause } from "@/lib/waits";

/** Where the runtime gets its data from; tests put their own here. */
export interface PolicySource extends SnapshotPlace {
  /** Makes the database usable: connection, indexes, first data. Called again until it succeeds. */
  open(): Promise<void>;
  /** The number of the newest committed revision. */
  readRevision(): Promise<number>;
  /** Everything the compiler needs, of one point in time. */
  load(): Promise<PolicySnapshot>;
  /** Why the database takes no writes, null while it does; asks it again as long as it does not. */
  writeRefusal(): Promise<string | null>;
  /** Calls back after every commit that this process hears of; returns a function that ends it. */
  onRevision(listener: () => void): () => void;
  /** The snapshot kept on disk, or null (rule K6). */
  loadSaved(): Promise<SavedSnapshot | null>;
  /** Which database this is; not given: there is only one. */
  databaseId?(): Promise<string | null>;
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
  /** Looks at what is compiled as head units do (rule G9); not given: nobody asks this process for findings. */
  readonly inspection?: Inspection;
  /** Time between two looks at the revision, in milliseconds. */
  readonly pollMs?: number;
  /** Time that a new snapshot waits before it is written to disk, in milliseconds. */
  readonly saveDelayMs?: number;
  /** Called when the database can never be used as it is; trying again would only hide it. */
  readonly onRefusal?: (error: Error) => void;
  /** Called once, when the database has been read for the first time. */
  readonly afterFirstLoad?: () => void;
  /** Told of every revision that goes into service (rule N5). */
  readonly onServing?: (revision: number) => void;
  readonly now?: () => number;
}

export interface RuntimeStatus {
  /**
   * `starting`: no policy yet. `degraded`: vehicles are answered, but the newest state of the database is unknown, or it
   * takes no writes.
   */
  readonly state: "starting" | "ready" | "degraded";
  readonly revision: number | null;
  /** When the policies in service were compiled, in milliseconds since 1970. */
  readonly builtAt: number | null;
  /**
   * When the database was last seen to be at this revision, in milliseconds since 1970, also by an earlier run; null: not
   * known.
   */
  readonly confirmedAt: number | null;
  readonly apps: number;
  readonly groups: Readonly<Record<Environment, number>>;
  readonly messages: Readonly<Record<Environment, number>>;
  readonly database: "embedded" | "mongodb";
  readonly lastError: string | null;
}

type Policies = Readonly<Record<Environment, CompiledPolicy>>;

const defaultPollMs = 1_000;
const defaultPatienceMs = 2_000;

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
  readonly #keeper: SnapshotKeeper;
  #builtAt: number | null = null;
  #lastError: string | null = null;
  /** What fails at present, with the reason that was logged. */
  readonly #failures = new Map<string, string>();
  #isCurrent = false;
  #writeRefusal: string | null = null;
  #loop: Promise<void> | null = null;
  /** Aborted, and another put in its place, by everything that must not wait for the next look. */
  #wake = new AbortController();
  /** Commits of this process that were announced, and how many of them the last look has seen. */
  #commits = 0;
  #followed = 0;
  /** Who waits for the end of a look. */
  readonly #waiting = new Set<AbortController>();
  #isFirst = true;
  /** The policies in service may not be those that their snapshot and the present options give. */
  #isStale = false;
  /** What was on disk at the start, until a policy is in service. */
  #saved: SavedSnapshot | null = null;
  #databaseId: string | null = null;
  #confirmedAt: number | null = null;
  #noteSaved: () => void = () => undefined;
  /**
   * Resolves when the policy kept on disk is in service, or when there is none that can be: whoever accepts vehicles earlier
   * than that has to refuse some that another process could have answered (`processes.md` N2).
   */
  readonly savedTried = new Promise<void>((resolve) => {
    this.#noteSaved = resolve;
  });

  constructor(options: RuntimeOptions) {
    this.#options = options;
    this.#keeper = new SnapshotKeeper({
      ...options,
      stopping: this.#stopping.signal,
      origin: () => ({ databaseId: this.#databaseId, confirmedAt: this.#confirmedAt }),
    });
  }

  /** Starts in the background. */
  start(): void {
    this.#loop ??= this.#run();
  }

  /** Ends the background work and waits for a build or save under way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wakeUp();
    await this.#loop;
    await this.#keeper.done();
  }

  /** Has the policies compiled again from the same data, because `policyOptions` gives something else now. */
  reconsider(): void {
    this.#isStale = true;
    this.#wakeUp();
  }

  /** Has the next snapshot written to disk although one of its revision is there: something beside it has changed. */
  keepAgain(): void {
    this.#keeper.forget();
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
    return this.#options.inspection?.shared(environment) ?? [];
  }

  /**
   * What head units would object to in the entries of apps (rule G9): of those that this process was asked for since they
   * were last changed. Bounded.
   */
  appFindings(environment: Environment): readonly AppFindings[] {
    return this.#options.inspection?.apps(environment) ?? [];
  }

  /** The same of one entry of the policy in service, as `buildAppEntry` gives it; empty while there is none. */
  inspectEntry(environment: Environment, uuid: string, text: string): readonly HeadUnitFinding[] {
    const policy = this.policy(environment);
    return (policy && this.#options.inspection?.inspectEntry(policy, uuid, text)) ?? [];
  }

  /**
   * Waits until the policies in service hold everything that this process had committed when it was called. Not while the
   * database cannot be read: then nobody knows how long that takes.
   *
   * @param patienceMs waits no longer than this, in milliseconds
   * @returns whether they do
   */
  async caughtUp(patienceMs = defaultPatienceMs): Promise<boolean> {
    const wanted = this.#commits;
    const late = AbortSignal.any([AbortSignal.timeout(patienceMs), this.#stopping.signal]);
    while (this.#followed < wanted && this.#isCurrent && !late.aborted) {
      const next = new AbortController();
      this.#waiting.add(next);
      await pause(patienceMs, [next.signal, late]);
      this.#waiting.delete(next);
    }
    return this.#followed >= wanted;
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
      state: this.#policies === null ? "starting" : this.#isWell ? "ready" : "degraded",
      revision: snapshot?.revision ?? null,
      builtAt: this.#builtAt,
      confirmedAt: this.#confirmedAt,
      apps: snapshot?.apps.size ?? 0,
      groups: count((environment) => snapshot?.groups[environment]),
      messages: count((environment) => snapshot?.messages[environment]),
      database: this.#options.database,
      lastError: this.#lastError ?? this.#writeRefusal,
    };
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  get #isWell(): boolean {
    return this.#isCurrent && this.#writeRefusal === null;
  }

  async #run(): Promise<void> {
    const { source, pollMs = defaultPollMs } = this.#options;
    const forget = source.onRevision(() => {
      this.#commits += 1;
      this.#wakeUp();
    });
    await this.#loadSaved();
    await this.#serveSaved();
    this.#noteSaved();
    await this.#serveSavedUntil(this.#openUntilDone());
    while (!this.#isStopping) {
      // Taken before the look, so that a commit during it wakes the next round.
      const woken = this.#wake.signal;
      await this.#look();
      await pause(pollMs, [woken]);
    }
    forget();
  }

  async #openUntilDone(): Promise<void> {
    while (!this.#isStopping) {
      const woken = this.#wake.signal;
      try {
        await this.#options.source.open();
        return;
      } catch (error) {
        if (this.#stopping.signal.aborted) return;
        if (error instanceof Error && error.name === "DatabaseRefused") this.#options.onRefusal?.(error);
        this.#fail("the database cannot be used", error);
        await pause(defaultPollMs, [woken]);
      }
    }
  }

  /** What the state on disk lacks may be told by another process before the database is open. */
  async #serveSavedUntil(opened: Promise<void>): Promise<void> {
    const over = new AbortController();
    const ended = opened.finally(() => {
      over.abort();
      this.#wakeUp();
    });
    for (let woken = this.#wake.signal; this.#saved !== null; woken = this.#wake.signal) {
      await pause(defaultPollMs, [woken]);
      if (over.signal.aborted) break;
      await this.#serveSaved();
    }
    await ended;
  }

  #wakeUp(): void {
    const woken = this.#wake;
    this.#wake = new AbortController();
    woken.abort();
  }

  async #loadSaved(): Promise<void> {
    try {
      this.#saved = await this.#options.source.loadSaved();
    } catch (error) {
      this.#fail("the policy kept on disk cannot be used", error);
    }
  }

  /** Vehicles are served from the last state on disk until the database has been read. */
  async #serveSaved(): Promise<void> {
    const saved = this.#saved;
    if (saved === null) return;
    try {
      this.#keeper.note({ revision: saved.revision, databaseId: saved.origin?.databaseId ?? null });
      await this.#compile(saved);
      this.#confirmedAt ??= saved.origin?.confirmedAt ?? null;
      this.#options.log.info({ revision: saved.revision }, "serving the policy kept on disk");
      this.#saved = null;
    } catch (error) {
      this.#fail("the policy kept on disk cannot be used", error);
    }
  }

  /** One look at the revision; a new one is loaded, compiled and put in service. */
  async #look(): Promise<void> {
    const commits = this.#commits;
    try {
      const revision = await this.#options.source.readRevision();
      if (!this.#isCurrent || this.#isStale || revision !== this.#snapshot?.revision) await this.#renew();
      this.#isCurrent = true;
      this.#lastError = null;
      this.#failures.clear();
      this.#followed = commits;
      this.#confirm();
      this.#tellWrites(await this.#options.source.writeRefusal());
    } catch (error) {
      if (!this.#isStopping) this.#fail("the policy cannot be renewed; the last one stays in service", error);
    }
    for (const next of this.#waiting) next.abort();
  }

  /** Says once that the database takes no writes, and once that it does again. */
  #tellWrites(refusal: string | null): void {
    if (refusal === this.#writeRefusal) return;
    this.#writeRefusal = refusal;
    if (refusal !== null) this.#options.log.error({ reason: refusal }, "the database takes no writes");
    else this.#options.log.info({}, "the database takes writes again");
    // What is kept beside a full disk's database could not be written either.
    if (refusal === null && this.#snapshot) this.#keeper.keep(this.#snapshot);
  }

  async #renew(): Promise<void> {
    const start = performance.now();
    const snapshot = await this.#options.source.load();
    this.#databaseId = (await this.#options.source.databaseId?.()) ?? null;
    this.#saved = null;
    await this.#compile(snapshot);
    const milliseconds = Math.round(performance.now() - start);
    this.#options.log.info({ revision: snapshot.revision, apps: snapshot.apps.size, milliseconds }, "policy compiled");
    this.#keeper.keep(snapshot);
    if (this.#isFirst) this.#options.afterFirstLoad?.();
    this.#isFirst = false;
  }

  /** The age of what is served counts from the last look that confirmed it, over restarts (rule K7). */
  #confirm(): void {
    this.#confirmedAt = (this.#options.now ?? Date.now)();
    if (this.#snapshot) this.#keeper.confirm(this.#snapshot, this.#confirmedAt);
  }

  /** Both environments change together, and only when both are ready (rules K4, K5). */
  async #compile(snapshot: PolicySnapshot): Promise<void> {
    this.#isStale = false;
    const options = await this.#options.policyOptions(snapshot);
    const staging = await this.#build(snapshot, "staging", options);
    const production = await this.#build(snapshot, "production", options);
    this.#policies = { staging, production };
    this.#options.inspection?.takeOver(this.#policies, snapshot);
    this.#snapshot = snapshot;
    this.#builtAt = (this.#options.now ?? Date.now)();
    this.#options.onServing?.(snapshot.revision);
  }

  async #build(snapshot: PolicySnapshot, environment: Environment, options: PolicyOptions): Promise<CompiledPolicy> {
    const earlier = this.#policies?.[environment];
    const { inspection, log } = this.#options;
    const report: Report = (problem) => log.warn({ environment, ...problem }, "left out of the policy table");
    const onEntry = inspection?.onEntry;
    const policy = await compilePolicy(snapshot, environment, options, report, { earlier, onEntry });
    inspection?.inspect(policy);
    return policy;
  }

  #fail(message: string, error: unknown): void {
    this.#isCurrent = false;
    const reason = error instanceof Error ? error.name : "unknown";
    this.#lastError = `${message} (${reason})`;
    // The same failure every second is one line, not one a second.
    if (this.#failures.get(message) === reason) return;
    this.#failures.set(message, reason);
    if (reason === "DatabaseNotPrepared") this.#options.log.info({}, "waiting for the first data");
    else this.#options.log.error({ err: error }, message);
  }
}
