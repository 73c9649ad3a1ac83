import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { PolicyRuntime, type PolicySource, type RuntimeOptions } from "@/lib/policy/runtime";
import type { PolicySnapshot } from "@/lib/policy/snapshot";
import { environments } from "@/lib/policy/vocabulary";
import { answeredTable, answerText, shortenedTable } from "@/test/support/answers";
import {
  aCatalogue,
  aGroup,
  aMessage,
  aMessageLanguage,
  anApp,
  anAppVersion,
  aSnapshot,
  inBothViews,
  policyOptions,
} from "@/test/support/builders";

/** Ends a hang, judges nothing. */
const patience = { timeout: 120_000, interval: 5 };
/** Long enough for a runtime that polls every millisecond to look again many times. */
const aWhile = () => wait(50);

/** A database in memory whose every step can be made to fail or to wait. */
class FakeSource implements PolicySource {
  snapshot: PolicySnapshot = aSnapshot();
  saved: PolicySnapshot | null = null;
  readonly failing = new Set<"open" | "readRevision" | "load" | "loadSaved" | "save">();
  readonly calls = { open: 0, readRevision: 0, load: 0, loadSaved: 0, save: 0 };
  /** Awaited by every load. */
  gate: Promise<void> = Promise.resolve();
  readonly listeners = new Set<() => void>();

  async #step(name: keyof FakeSource["calls"]): Promise<void> {
    this.calls[name]++;
    await Promise.resolve();
    if (this.failing.has(name)) throw new TypeError(`${name} fails`);
  }

  open(): Promise<void> {
    return this.#step("open");
  }
  async readRevision(): Promise<number> {
    await this.#step("readRevision");
    return this.snapshot.revision;
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
  async loadSaved(): Promise<PolicySnapshot | null> {
    await this.#step("loadSaved");
    return this.saved;
  }
  async save(snapshot: PolicySnapshot): Promise<void> {
    await this.#step("save");
    this.saved = snapshot;
  }

  /** Stores a change under the next revision, without telling anybody. */
  commit(partial: Partial<PolicySnapshot> = {}): void {
    this.snapshot = { ...this.snapshot, ...partial, revision: this.snapshot.revision + 1 };
  }
}

function aRuntime(source: FakeSource, options: Partial<RuntimeOptions> = {}) {
  const lines: { readonly level: string; readonly message: string; readonly details: object }[] = [];
  const logAt = (level: string) => (details: object, message: string) => lines.push({ level, message, details });
  const runtime = new PolicyRuntime({
    source,
    database: "embedded",
    policyOptions: () => policyOptions(),
    log: { info: logAt("info"), warn: logAt("warn"), error: logAt("error") },
    pollMs: 1,
    ...options,
  });
  onTestFinished(() => runtime.stop());
  const reaches = (state: string, revision: number | null) =>
    expect.poll(() => [runtime.status().state, runtime.status().revision], patience).toEqual([state, revision]);
  return { runtime, lines, reaches };
}

const renamed = (name: string) => ({
  groups: inBothViews(aGroup({ name, isDefault: true, isDevice: true, isPreDataConsent: true })),
});
const defaultGroups = (runtime: PolicyRuntime) =>
  environments.map((environment) => {
    const policy = runtime.policy(environment);
    return policy && answeredTable(policy, shortenedTable({})).app_policies.default.groups[0];
  });

describe("K1, K4: policies in service", () => {
  it("there is none before the start, and the state says so", () => {
    const { runtime } = aRuntime(new FakeSource());
    expect(environments.map((environment) => runtime.policy(environment))).toEqual([null, null]);
    expect(runtime.isCurrent).toBe(false);
    expect(runtime.status()).toEqual({
      state: "starting",
      revision: null,
      builtAt: null,
      apps: 0,
      groups: { staging: 0, production: 0 },
      messages: { staging: 0, production: 0 },
      database: "embedded",
      lastError: null,
    });
  });

  it("after the first build the state is ready and counts what is not deleted", async () => {
    const source = new FakeSource();
    source.snapshot = aSnapshot({
      revision: 12,
      groups: { staging: [aGroup(), aGroup({ name: "Gone", isDeleted: true })], production: [] },
      messages: { staging: [aMessage({ isDeleted: true })], production: [aMessage()] },
      apps: aCatalogue([anApp(), anApp({ uuid: "2" })]),
    });
    const { runtime, reaches } = aRuntime(source, { now: () => 1_700_000_000_000, database: "mongodb" });
    runtime.start();
    await reaches("ready", 12);
    expect(runtime.isCurrent).toBe(true);
    expect(runtime.status()).toEqual({
      state: "ready",
      revision: 12,
      builtAt: 1_700_000_000_000,
      apps: 2,
      groups: { staging: 1, production: 0 },
      messages: { staging: 0, production: 1 },
      database: "mongodb",
      lastError: null,
    });
    expect(environments.map((environment) => runtime.policy(environment)?.environment)).toEqual([...environments]);
  });

  it("K4: a new revision replaces the policies of both environments", async () => {
    const source = new FakeSource();
    const { runtime, reaches } = aRuntime(source);
    runtime.start();
    await reaches("ready", 1);
    expect(defaultGroups(runtime)).toEqual(["Base", "Base"]);
    source.commit(renamed("Other"));
    await reaches("ready", 2);
    expect(defaultGroups(runtime)).toEqual(["Other", "Other"]);
    expect(environments.map((environment) => runtime.policy(environment)?.revision)).toEqual([2, 2]);
  });

  it("nothing is loaded while the revision stays", async () => {
    const source = new FakeSource();
    const { runtime, reaches } = aRuntime(source);
    runtime.start();
    await reaches("ready", 1);
    const policy = runtime.policy("staging");
    const looks = source.calls.readRevision;
    await expect.poll(() => source.calls.readRevision, patience).toBeGreaterThan(looks + 3);
    expect(source.calls.load).toBe(1);
    expect(runtime.policy("staging")).toBe(policy);
  });

  it("settings and certificates of every snapshot reach its tables", async () => {
    const source = new FakeSource();
    const { runtime, reaches } = aRuntime(source, {
      policyOptions: ({ revision }) => policyOptions({ publicBaseUrl: `https://r${revision}.example.com` }),
    });
    runtime.start();
    await reaches("ready", 1);
    source.commit();
    await reaches("ready", 2);
    const policy = runtime.policy("staging");
    expect(policy && answerText(policy, shortenedTable({}))).toContain("https://r2.example.com/api/v1/staging/policy");
  });
});

describe("K3: news of a commit", () => {
  const anHour = 3_600_000;

  it("K3: a commit of this process is looked at at once", async () => {
    const source = new FakeSource();
    const { runtime, reaches } = aRuntime(source, { pollMs: anHour });
    runtime.start();
    await reaches("ready", 1);
    for (const revision of [2, 3]) {
      source.commit();
      for (const listener of source.listeners) listener();
      await reaches("ready", revision);
    }
  });

  it("K3: a commit during a build is not missed", async () => {
    const source = new FakeSource();
    const { promise, resolve } = withResolvers();
    source.gate = promise;
    const { runtime, reaches } = aRuntime(source, { pollMs: anHour });
    runtime.start();
    await expect.poll(() => source.calls.load, patience).toBe(1);
    source.commit();
    for (const listener of source.listeners) listener();
    resolve();
    await reaches("ready", 2);
  });
});

/** A promise and what resolves it. */
function withResolvers() {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

describe("K5: failures leave the old policy in service", () => {
  it.each(["readRevision", "load"] as const)("K5: %s fails, then works again", async (step) => {
    const source = new FakeSource();
    const { runtime, lines, reaches } = aRuntime(source);
    runtime.start();
    await reaches("ready", 1);
    const before = runtime.policy("production");
    source.failing.add(step);
    source.commit(renamed("Other"));
    await reaches("degraded", 1);
    await aWhile();
    expect(runtime.policy("production")).toBe(before);
    expect(runtime.isCurrent).toBe(false);
    expect(runtime.status().lastError).toBe("the policy cannot be renewed; the last one stays in service (TypeError)");
    expect(lines.filter(({ level }) => level === "error")).toHaveLength(1);
    source.failing.clear();
    await reaches("ready", 2);
    expect(runtime.status().lastError).toBeNull();
    expect(defaultGroups(runtime)).toEqual(["Other", "Other"]);
  });

  it.each(environments)("K4, K5: when %s cannot be built, neither environment changes", async (environment) => {
    const source = new FakeSource();
    const { runtime, lines, reaches } = aRuntime(source);
    runtime.start();
    await reaches("ready", 1);
    const { moduleConfigs } = source.snapshot;
    source.commit({ ...renamed("Other"), moduleConfigs: { ...moduleConfigs, [environment]: [] } });
    await reaches("degraded", 1);
    await aWhile();
    expect(defaultGroups(runtime)).toEqual(["Base", "Base"]);
    expect(lines.filter(({ level }) => level === "error")).toEqual([
      expect.objectContaining({
        details: { err: expect.objectContaining({ message: `the ${environment} view holds no module config` }) },
      }),
    ]);
    source.commit({ moduleConfigs });
    await reaches("ready", 3);
    expect(defaultGroups(runtime)).toEqual(["Other", "Other"]);
  });

  it("C1, K5: a message id beyond nine digits is refused and reported", async () => {
    const source = new FakeSource();
    const { runtime, reaches } = aRuntime(source);
    runtime.start();
    await reaches("ready", 1);
    source.commit({ messages: inBothViews(aMessage({ id: 1_000_000_000 })) });
    await reaches("degraded", 1);
    expect(runtime.status().lastError).toContain("RangeError");
    expect(defaultGroups(runtime)).toEqual(["Base", "Base"]);
  });

  it("K5: settings that cannot be made fail the build only", async () => {
    const source = new FakeSource();
    const { runtime, reaches } = aRuntime(source, {
      policyOptions: ({ revision }) => {
        if (revision === 2) throw new Error("no certificate");
        return policyOptions();
      },
    });
    runtime.start();
    await reaches("ready", 1);
    source.commit(renamed("Two"));
    await reaches("degraded", 1);
    source.commit(renamed("Three"));
    await reaches("ready", 3);
    expect(defaultGroups(runtime)).toEqual(["Three", "Three"]);
  });

  it("K5: no request waits for a build", async () => {
    const source = new FakeSource();
    const { runtime, reaches } = aRuntime(source);
    runtime.start();
    await reaches("ready", 1);
    const { promise, resolve } = withResolvers();
    source.gate = promise;
    source.commit(renamed("Other"));
    await expect.poll(() => source.calls.load, patience).toBe(2);
    expect(defaultGroups(runtime)).toEqual(["Base", "Base"]);
    expect(runtime.status()).toMatchObject({ state: "ready", revision: 1 });
    resolve();
    await reaches("ready", 2);
  });

  it("K5: a database that cannot be opened is tried again", async () => {
    const source = new FakeSource();
    source.failing.add("open");
    const { runtime, reaches } = aRuntime(source);
    runtime.start();
    await expect.poll(() => runtime.status().lastError, patience).toBe("the database cannot be used (TypeError)");
    expect(runtime.status().state).toBe("starting");
    source.failing.clear();
    await reaches("ready", 1);
    expect(source.calls.open).toBe(2);
    expect(runtime.status().lastError).toBeNull();
  });
});

describe("K6: the state on disk", () => {
  it("K6: serves vehicles while the database is away, and gives way to it", async () => {
    const source = new FakeSource();
    source.saved = aSnapshot({ revision: 7, ...renamed("Saved") });
    source.snapshot = aSnapshot({ revision: 9, ...renamed("Stored") });
    source.failing.add("open");
    const { runtime, lines, reaches } = aRuntime(source);
    runtime.start();
    await reaches("degraded", 7);
    expect(defaultGroups(runtime)).toEqual(["Saved", "Saved"]);
    expect(lines.some(({ message }) => message === "serving the policy kept on disk")).toBe(true);
    source.failing.clear();
    await reaches("ready", 9);
    expect(defaultGroups(runtime)).toEqual(["Stored", "Stored"]);
  });

  it("K6: is not taken for the newest state, even at the same revision", async () => {
    const source = new FakeSource();
    source.saved = aSnapshot(renamed("Saved"));
    const { runtime, reaches } = aRuntime(source);
    runtime.start();
    await reaches("ready", 1);
    expect(defaultGroups(runtime)).toEqual(["Base", "Base"]);
  });

  it("K6: unreadable, it is reported and the database is used", async () => {
    const source = new FakeSource();
    source.failing.add("loadSaved");
    const { runtime, lines, reaches } = aRuntime(source);
    runtime.start();
    await reaches("ready", 1);
    expect(lines[0]).toMatchObject({ level: "error", message: "the policy kept on disk cannot be used" });
  });

  it("K6: cannot be compiled, it leaves the state at starting", async () => {
    const source = new FakeSource();
    source.saved = aSnapshot({ moduleConfigs: inBothViews() });
    source.failing.add("open");
    const { runtime, lines } = aRuntime(source);
    runtime.start();
    await expect
      .poll(() => lines.map(({ message }) => message), patience)
      .toContain("the policy kept on disk cannot be used");
    expect(runtime.status().state).toBe("starting");
    expect(runtime.policy("staging")).toBeNull();
  });

  it("K6: is renewed with every revision, not with one that cannot be built", async () => {
    const source = new FakeSource();
    const { runtime, reaches } = aRuntime(source);
    runtime.start();
    await reaches("ready", 1);
    await expect.poll(() => source.saved?.revision, patience).toBe(1);
    source.commit({ moduleConfigs: inBothViews() });
    await reaches("degraded", 1);
    await aWhile();
    expect(source.saved?.revision).toBe(1);
    source.commit({ moduleConfigs: aSnapshot().moduleConfigs });
    await expect.poll(() => source.saved?.revision, patience).toBe(3);
  });

  it("K6: cannot be saved, vehicles are served all the same", async () => {
    const source = new FakeSource();
    source.failing.add("save");
    const { runtime, lines, reaches } = aRuntime(source);
    runtime.start();
    await reaches("ready", 1);
    await expect
      .poll(() => lines.filter(({ level }) => level === "warn").map(({ message }) => message), patience)
      .toEqual(["the policy cannot be kept on disk"]);
    source.failing.clear();
    source.commit();
    await expect.poll(() => source.saved?.revision, patience).toBe(2);
    expect(runtime.status().state).toBe("ready");
  });
});

describe("what is logged", () => {
  it("G5: records left out, with their environment", async () => {
    const source = new FakeSource();
    const languages = [aMessageLanguage({ languageId: "de-de" })];
    source.snapshot = aSnapshot({ messages: { staging: [aMessage({ languages })], production: [] } });
    const { runtime, lines, reaches } = aRuntime(source);
    runtime.start();
    await reaches("ready", 1);
    expect(lines.filter(({ level }) => level === "warn").map(({ details }) => details)).toEqual([
      {
        environment: "staging",
        record: "message Location",
        reason: "it has no en-us text, which every head unit demands",
      },
    ]);
  });

  it("G9: what head units refuse in the shared sections; also offered as findings", async () => {
    const source = new FakeSource();
    source.snapshot = aSnapshot({
      groups: {
        staging: [aGroup({ isDefault: true, isPreDataConsent: true })],
        production: aSnapshot().groups.production,
      },
    });
    const { runtime, lines, reaches } = aRuntime(source);
    expect(runtime.findings("staging")).toEqual([]);
    runtime.start();
    await reaches("ready", 1);
    const refused = expect.objectContaining({ severity: "refused", path: "app_policies.device.groups" });
    expect(runtime.findings("staging")).toContainEqual(refused);
    expect(runtime.findings("production")).not.toContainEqual(refused);
    const paths = lines.filter(({ level }) => level === "warn").map(({ details }) => details);
    expect(paths).toContainEqual(
      expect.objectContaining({ environment: "staging", path: "app_policies.device.groups" }),
    );
    source.commit({ groups: aSnapshot().groups });
    await reaches("ready", 2);
    expect(runtime.findings("staging")).not.toContainEqual(refused);
  });

  it("G9: what head units refuse in an app's entry, once its answer is made", async () => {
    const source = new FakeSource();
    source.snapshot = aSnapshot({
      apps: aCatalogue([anApp({ versions: [anAppVersion({ displayNames: ["x".repeat(256)] })] })]),
    });
    const { runtime, lines, reaches } = aRuntime(source);
    runtime.start();
    await reaches("ready", 1);
    const objections = () => lines.filter(({ message }) => message === "head units object to the policy table");
    const before = objections().length;
    const policy = runtime.policy("production");
    const table = shortenedTable({ "11111111aa": {} });
    expect(policy && answerText(policy, table)).toContain("x".repeat(256));
    expect(objections()).toHaveLength(before);
    await expect.poll(() => objections().length, patience).toBe(before + 1);
    expect(objections().at(-1)?.details).toMatchObject({
      environment: "production",
      severity: "refused",
      path: "app_policies.11111111-aaaa-4bbb-8ccc-000000000001.nicknames[0]",
    });
  });
});

describe("start and stop", () => {
  it("a second start changes nothing", async () => {
    const source = new FakeSource();
    const { runtime, reaches } = aRuntime(source);
    runtime.start();
    runtime.start();
    await reaches("ready", 1);
    expect(source.calls).toMatchObject({ open: 1, loadSaved: 1, load: 1 });
    expect(source.listeners.size).toBe(1);
  });

  it("stop ends the looks and the listening, and leaves the policies in service", async () => {
    const source = new FakeSource();
    const { runtime, reaches } = aRuntime(source);
    runtime.start();
    await reaches("ready", 1);
    await runtime.stop();
    const looks = source.calls.readRevision;
    source.commit();
    await aWhile();
    expect(source.calls.readRevision).toBe(looks);
    expect(source.listeners.size).toBe(0);
    expect(source.saved?.revision).toBe(1);
    expect(defaultGroups(runtime)).toEqual(["Base", "Base"]);
  });

  it("stop ends a runtime whose database never came, and one that never started", async () => {
    const source = new FakeSource();
    source.failing.add("open");
    const { runtime } = aRuntime(source);
    runtime.start();
    await expect.poll(() => source.calls.open, patience).toBe(1);
    await runtime.stop();
    expect(source.calls.readRevision).toBe(0);
    await aRuntime(new FakeSource()).runtime.stop();
  });
});
