import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import { environments } from "@/lib/vocabulary/terms";
import { Inspection } from "@/lib/policy/checks/inspection";
import type { DatabaseFacts, DatabaseIdentity, PolicyOrigin } from "@/lib/policy/latch";
import type { PolicySource } from "@/lib/policy/policy-source";
import { PolicyRuntime } from "@/lib/policy/runtime";
import type { RuntimeOptions } from "@/lib/policy/runtime-options";
import type { SavedSnapshot } from "@/lib/policy/saved/snapshot-file";
import type { PolicySnapshot } from "@/lib/policy/table/snapshot";
import { answeredTable, answerText, shortenedTable } from "./answers";
import { aBaseGroup, aGroup, aSnapshot, inBothViews, policyOptions } from "./builders";
import { patiently as timeout } from "@/test/support/patience.mjs";

export class FakeSource implements PolicySource {
  constructor(public snapshot: PolicySnapshot = aSnapshot({ groups: inBothViews(aBaseGroup()) })) {}
  saved: SavedSnapshot | null = null;
  readonly failing = new Set<"open" | "readRevision" | "load" | "loadSaved" | "save">();
  readonly calls = { open: 0, readRevision: 0, load: 0, loadSaved: 0, save: 0 };
  gate: Promise<void> = Promise.resolve();
  saveGate: Promise<void> = Promise.resolve();
  readonly listeners = new Set<() => void>();

  async #step(name: keyof FakeSource["calls"]): Promise<void> {
    this.calls[name]++;
    await Promise.resolve();
    if (this.failing.has(name)) throw new TypeError(`${name} fails`);
  }

  async open(requireExpected: (database: DatabaseIdentity) => void = () => undefined): Promise<void> {
    await this.#step("open");
    requireExpected({ ...this.facts, revision: this.snapshot.revision });
  }
  facts: DatabaseFacts = { databaseId: null, succeeds: [], madeAt: null };
  databaseFacts(): Promise<DatabaseFacts> {
    return Promise.resolve(this.facts);
  }
  savedOrigin(): Promise<PolicyOrigin | null> {
    const none = { databaseId: null, confirmedAt: null };
    return Promise.resolve(this.saved && { ...none, ...this.saved.origin, revision: this.saved.revision });
  }
  async readRevision(): Promise<number> {
    await this.#step("readRevision");
    return this.snapshot.revision;
  }
  /** The reason for refusing writes; null accepts them. */
  refusal: string | null = null;
  writeRefusal(): Promise<string | null> {
    return Promise.resolve(this.refusal);
  }
  async load(): Promise<PolicySnapshot> {
    const { snapshot } = this;
    await this.#step("load");
    await this.gate;
    return snapshot;
  }
  onRevision(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
  async loadSaved(): Promise<SavedSnapshot | null> {
    await this.#step("loadSaved");
    return this.saved;
  }
  async save(snapshot: PolicySnapshot, ..._: unknown[]): Promise<void> {
    await this.#step("save");
    await this.saveGate;
    this.saved = snapshot;
  }

  announce(): void {
    for (const listener of this.listeners) listener();
  }

  commit(partial: Partial<PolicySnapshot> = {}): void {
    this.snapshot = { ...this.snapshot, ...partial, revision: this.snapshot.revision + 1 };
  }
}

export function aRuntime(source: FakeSource, options: Partial<RuntimeOptions> = {}) {
  const lines: { readonly level: string; readonly message: string; readonly details: object }[] = [];
  const logAt = (level: string) => (details: object, message: string) => lines.push({ level, message, details });
  const log = { info: logAt("info"), warn: logAt("warn"), error: logAt("error") };
  const runtime = new PolicyRuntime({
    source,
    database: "embedded",
    policyOptions: () => policyOptions(),
    inspection: new Inspection(log),
    log,
    pollMs: 1,
    ...options,
  });
  onTestFinished(() => runtime.stop());
  return { runtime, lines, reaches: seenOf(runtime).reaches };
}

export async function aReadyRuntime({
  snapshot,
  source = new FakeSource(snapshot),
  ...options
}: Partial<Omit<RuntimeOptions, "source">> & {
  readonly snapshot?: PolicySnapshot;
  readonly source?: FakeSource;
} = {}) {
  const made = aRuntime(source, options);
  made.runtime.start();
  await made.reaches("ready", source.snapshot.revision);
  return { source, ...made };
}

export const renamed = (name: string) => ({
  groups: inBothViews(aGroup({ name, isDefault: true, isDevice: true, isPreDataConsent: true })),
});

export const defaultGroups = (runtime: PolicyRuntime) =>
  environments.map((environment) => {
    const policy = runtime.policy(environment);
    return policy && answeredTable(policy, shortenedTable({})).app_policies.default.groups[0];
  });

/** Long enough for a runtime that polls every millisecond to look again many times. */
export const aWhile = () => wait(50);

export function seenOf(runtime: Pick<PolicyRuntime, "policy" | "status">) {
  const reaches = (state: string, revision: number | null) =>
    expect.poll(() => [runtime.status().state, runtime.status().revision], timeout).toEqual([state, revision]);
  const answer = () => {
    const policy = runtime.policy("production");
    return policy && answerText(policy, shortenedTable({}));
  };
  return { reaches, answer };
}

export function withResolvers() {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

export { timeout };
