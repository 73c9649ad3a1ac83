import { Latch } from "@/lib/policy/latch";
import type { RuntimeOptions } from "@/lib/policy/runtime-options";
import { countStored, type RuntimeStatus } from "@/lib/policy/runtime-status";
import type { SavedSnapshot } from "@/lib/policy/saved/snapshot-file";
import { SnapshotKeeper } from "@/lib/policy/saved/snapshot-keeper";
import { ServedPolicies } from "@/lib/policy/served-policies";
import { Trouble } from "@/lib/policy/trouble";
import { Signal, pause, within } from "@/lib/platform/async";

const defaultPollMs = 1_000;
const defaultDiskMs = 5_000;

/** Follows the database (rules K3 to K6). The policies stay in service while it is unreachable or a build fails. */
export class PolicyRuntime extends ServedPolicies {
  readonly #options: RuntimeOptions;
  readonly #stopping = new AbortController();
  readonly #keeper: SnapshotKeeper;
  readonly #trouble: Trouble;
  #isCurrent = false;
  #loop: Promise<void> | null = null;
  readonly #wake = new Signal();
  /** Announced commits of this process, and the number of them that the last check has seen. */
  #commits = 0;
  #followed = 0;
  readonly #looked = new Signal();
  #isFirst = true;
  /** The policies in service may not match their snapshot and the current options. */
  #isStale = false;
  #saved: SavedSnapshot | null = null;
  readonly #latch: Latch;
  #noteSaved: () => void = () => undefined;
  /** Settled once the saved policy serves, or cannot. Before, another process may answer more (`processes.md` N2). */
  readonly savedTried = new Promise<void>((resolve) => {
    this.#noteSaved = resolve;
  });

  #noteTried: () => void = () => undefined;
  readonly databaseTried = new Promise<void>((resolve) => {
    this.#noteTried = resolve;
  });

  constructor(options: RuntimeOptions) {
    super(options);
    this.#options = options;
    this.#trouble = new Trouble(options.log);
    this.#latch = new Latch({ ...options.latch, log: options.log });
    this.#keeper = new SnapshotKeeper({
      ...options,
      stopping: this.#stopping.signal,
      origin: () => this.#latch.origin ?? { databaseId: null, confirmedAt: null },
    });
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  /** Stops the background work and waits for a running build or save. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wake.give();
    await this.#loop;
    await this.#keeper.done();
  }

  /** Compiles the policies again from the same data, because `policyOptions` has a new result. */
  reconsider(): void {
    this.#isStale = true;
    this.#wake.give();
  }

  /** Writes the next snapshot to disk even if its revision is already there, because something next to it has changed. */
  keepAgain(): void {
    this.#keeper.forget();
  }

  /** Whether the policies have all earlier commits of this process. Does not wait for an unreadable database. */
  async caughtUp(timeoutMs = 2_000): Promise<boolean> {
    const wanted = this.#commits;
    const late = AbortSignal.any([AbortSignal.timeout(timeoutMs), this.#stopping.signal]);
    while (this.#followed < wanted && this.#isCurrent && !late.aborted) {
      await pause(timeoutMs, [this.#looked.next, late]);
    }
    return this.#followed >= wanted;
  }

  /** Whether the database has been read and the policies match its newest known revision. */
  get isCurrent(): boolean {
    return this.#isCurrent;
  }

  get savedAt(): number | null {
    return this.#keeper.writtenAt;
  }

  status(): RuntimeStatus {
    const { writeRefusal, lastError } = this.#trouble;
    const isWell = this.#isCurrent && writeRefusal === null;
    return {
      ...countStored(this.snapshot),
      state: this.snapshot === null ? "starting" : isWell ? "ready" : "degraded",
      builtAt: this.builtAt,
      confirmedAt: this.snapshot && (this.#latch.origin?.confirmedAt ?? null),
      database: this.#options.database,
      lastError: lastError ?? writeRefusal,
      unexpectedDatabase: this.#latch.sentence,
    };
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  async #run(): Promise<void> {
    const { source, pollMs = defaultPollMs } = this.#options;
    const forget = source.onRevision(() => {
      this.#commits += 1;
      this.#wake.give();
    });
    await this.#loadSaved();
    await this.#serveSaved();
    this.#noteSaved();
    await this.#serveSavedUntil(this.#openUntilDone());
    while (!this.#isStopping) {
      // Read before the check, so that a commit during it wakes the next round.
      const woken = this.#wake.next;
      await this.#look();
      await pause(pollMs, [woken]);
    }
    forget();
  }

  async #openUntilDone(): Promise<void> {
    while (!this.#isStopping) {
      const woken = this.#wake.next;
      try {
        await this.#options.source.open((database) => this.#latch.require(database));
        return;
      } catch (error) {
        if (this.#stopping.signal.aborted) return;
        if (error instanceof Error && error.name === "DatabaseRefused") this.#options.onRefusal?.(error);
        this.#fail("the database cannot be used", error);
        this.#noteTried();
        await pause(defaultPollMs, [woken]);
      }
    }
  }

  /** Before the database is open, another process may send what the snapshot on disk lacks. */
  async #serveSavedUntil(opened: Promise<void>): Promise<void> {
    const over = new AbortController();
    const ended = opened.finally(() => {
      over.abort();
      this.#wake.give();
    });
    for (let woken = this.#wake.next; this.#saved !== null; woken = this.#wake.next) {
      await pause(defaultPollMs, [woken]);
      if (over.signal.aborted) break;
      await this.#serveSaved();
    }
    await ended;
  }

  async #loadSaved(): Promise<void> {
    const { source, lastServed, diskMs = defaultDiskMs, log } = this.#options;
    try {
      const stopped = new Promise<readonly [null, null]>((resolve) => {
        this.#stopping.signal.addEventListener("abort", () => resolve([null, null]));
      });
      const loading = Promise.race([Promise.all([source.loadSaved(), source.savedOrigin()]), stopped]);
      const [saved, origin] = await within(diskMs, loading, () => {
        const served = lastServed?.() ?? null;
        if (served === null) return loading;
        log.warn({ revision: served.revision }, "the disk does not answer: the policy is read from the database");
        return [null, served] as const;
      });
      this.#saved = saved;
      this.#latch.expect(origin);
    } catch (error) {
      this.#fail("the policy kept on disk cannot be used", error);
    }
  }

  async #serveSaved(): Promise<void> {
    const saved = this.#saved;
    if (saved === null) return;
    try {
      this.#keeper.note({ revision: saved.revision, databaseId: saved.origin?.databaseId ?? null });
      this.#isStale = false;
      await this.serve(saved);
      this.#options.log.info({ revision: saved.revision }, "serving the policy kept on disk");
      this.#saved = null;
    } catch (error) {
      this.#fail("the policy kept on disk cannot be used", error);
    }
  }

  async #look(): Promise<void> {
    const commits = this.#commits;
    try {
      const { source } = this.#options;
      const revision = await source.readRevision();
      const isOutdated = !this.#isCurrent || this.#isStale || revision !== this.snapshot?.revision;
      const database = isOutdated ? await source.databaseFacts() : null;
      if (database) this.#latch.require({ ...database, revision });
      // Before loading, which may fail because of what this stores as soon as the database accepts writes again.
      const isWritableAgain = this.#trouble.tellWrites(await source.writeRefusal());
      // If the database's disk was full, the snapshot could not be written either.
      if (isWritableAgain && this.snapshot) this.#keeper.keep(this.snapshot);
      if (database) await this.#renew(database.databaseId);
      this.#isCurrent = true;
      this.#trouble.isOver();
      this.#followed = commits;
      this.#confirm();
    } catch (error) {
      if (!this.#isStopping) this.#fail("the policy cannot be renewed; the last one stays in service", error);
    }
    this.#looked.give();
    this.#noteTried();
  }

  async #renew(databaseId: string | null): Promise<void> {
    const start = performance.now();
    const snapshot = await this.#options.source.load();
    this.#saved = null;
    this.#isStale = false;
    await this.serve(snapshot);
    const confirmedAt = this.#latch.origin?.confirmedAt ?? null;
    this.#latch.expect({ databaseId, revision: snapshot.revision, confirmedAt });
    const milliseconds = Math.round(performance.now() - start);
    this.#options.log.info({ revision: snapshot.revision, apps: snapshot.apps.size, milliseconds }, "policy compiled");
    this.#keeper.keep(snapshot);
    if (this.#isFirst) this.#options.afterFirstLoad?.();
    this.#isFirst = false;
  }

  /** The age of the served policy counts from the last check that confirmed it, across restarts (rule K7). */
  #confirm(): void {
    const now = (this.#options.now ?? Date.now)();
    this.#latch.confirm(now);
    if (this.#latch.origin) this.#options.onConfirmed?.(this.#latch.origin);
    if (this.snapshot) this.#keeper.confirm(this.snapshot, now);
  }

  #fail(message: string, error: unknown): void {
    this.#isCurrent = false;
    this.#trouble.tell(message, error);
  }
}
