import { describe, expect, it, vi } from "vitest";
import { environments } from "@/lib/vocabulary/terms";
import { aMessage, aSnapshot, inBothViews, policyOptions } from "@/test/support/builders";
import {
  aReadyRuntime,
  aRuntime,
  aWhile,
  defaultGroups,
  FakeSource,
  renamed,
  timeout,
  withResolvers,
} from "@/test/support/fake-policy-source";

describe("K5: failures leave the old policy in service", () => {
  it.each(["readRevision", "load"] as const)("K5: %s fails, then works again", async (step) => {
    const { source, runtime, lines, reaches } = await aReadyRuntime();
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

  it("finding C2: a database that takes no writes is degraded, says why, and is well again by itself", async () => {
    const { source, runtime, lines, reaches } = await aReadyRuntime();
    source.refusal = "The disk is full.";
    source.commit(renamed("Other"));
    await reaches("degraded", 2);
    await aWhile();
    expect(defaultGroups(runtime)).toEqual(["Other", "Other"]);
    expect(runtime.status().lastError).toBe("The disk is full.");
    expect(lines.filter(({ level }) => level === "error")).toHaveLength(1);
    source.refusal = null;
    await reaches("ready", 2);
    expect(runtime.status().lastError).toBeNull();
  });

  it.each(environments)("K4, K5: when %s cannot be built, neither environment changes", async (environment) => {
    const { source, runtime, lines, reaches } = await aReadyRuntime();
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
    const { source, runtime, reaches } = await aReadyRuntime();
    source.commit({ messages: inBothViews(aMessage({ id: 1_000_000_000 })) });
    await reaches("degraded", 1);
    expect(runtime.status().lastError).toContain("RangeError");
    expect(defaultGroups(runtime)).toEqual(["Base", "Base"]);
  });

  it("K5: settings that cannot be made fail the build only", async () => {
    const { source, runtime, reaches } = await aReadyRuntime({
      policyOptions: ({ revision }) => {
        if (revision === 2) throw new Error("no certificate");
        return policyOptions();
      },
    });
    source.commit(renamed("Two"));
    await reaches("degraded", 1);
    source.commit(renamed("Three"));
    await reaches("ready", 3);
    expect(defaultGroups(runtime)).toEqual(["Three", "Three"]);
  });

  it.each(["open", "load"] as const)(
    "N3: the database has been tried when it fails for the first time (%s)",
    async (step) => {
      const source = new FakeSource();
      source.failing.add(step);
      const { runtime } = aRuntime(source);
      runtime.start();
      await runtime.databaseTried;
      expect(runtime.status().lastError).toContain("TypeError");
    },
  );

  it.each([
    ["a", { databaseId: "a", revision: 1, confirmedAt: 0 }, "ready", 1],
    ["b", { databaseId: "a", revision: 1, confirmedAt: 0 }, "starting", 0],
    ["a", null, "starting", 0],
  ] as const)(
    "N15a: while the disk does not answer, of database %s with %j served before",
    async (databaseId, served, state, loads) => {
      const source = new FakeSource();
      source.loadSaved = () => new Promise(() => undefined);
      source.facts = { ...source.facts, databaseId };
      const onConfirmed = vi.fn();
      const { runtime } = aRuntime(source, { lastServed: () => served, diskMs: 5, onConfirmed, now: () => 7 });
      runtime.start();
      await (served ? runtime.databaseTried : aWhile());
      expect([runtime.status().state, source.calls.load, source.calls.open > 0]).toEqual([
        state,
        loads,
        served !== null,
      ]);
      if (loads > 0) expect(onConfirmed).toHaveBeenCalledWith({ ...served, confirmedAt: 7 });
    },
  );

  it("K5: no request waits for a build", async () => {
    const { source, runtime, reaches } = await aReadyRuntime();
    const { promise, resolve } = withResolvers();
    source.gate = promise;
    source.commit(renamed("Other"));
    await expect.poll(() => source.calls.load, timeout).toBe(2);
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
    await expect.poll(() => runtime.status().lastError, timeout).toBe("the database cannot be used (TypeError)");
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

  it("N2: is in service when a vehicle worker is told that it may listen", async () => {
    const source = new FakeSource();
    source.saved = aSnapshot({ revision: 7, ...renamed("Saved") });
    source.failing.add("open");
    const { runtime } = aRuntime(source);
    runtime.start();
    await runtime.savedTried;
    expect(defaultGroups(runtime)).toEqual(["Saved", "Saved"]);
  });

  it("N2: a vehicle worker without one may listen all the same, so that probes are answered", async () => {
    const source = new FakeSource();
    source.failing.add("open");
    const { runtime } = aRuntime(source);
    runtime.start();
    await runtime.savedTried;
    expect(runtime.status().state).toBe("starting");
  });

  it("K6: is not taken for the newest state, even at the same revision", async () => {
    const source = new FakeSource();
    source.saved = aSnapshot(renamed("Saved"));
    const { runtime } = await aReadyRuntime({ source });
    expect(defaultGroups(runtime)).toEqual(["Base", "Base"]);
  });

  it("K6: unreadable, it is reported and the database is used", async () => {
    const source = new FakeSource();
    source.failing.add("loadSaved");
    const { lines } = await aReadyRuntime({ source });
    expect(lines[0]).toMatchObject({ level: "error", message: "the policy kept on disk cannot be used" });
  });

  it("K6: cannot be compiled, it leaves the state at starting", async () => {
    const source = new FakeSource();
    source.saved = aSnapshot({ moduleConfigs: inBothViews() });
    source.failing.add("open");
    const { runtime, lines } = aRuntime(source);
    runtime.start();
    await expect
      .poll(() => lines.map(({ message }) => message), timeout)
      .toContain("the policy kept on disk cannot be used");
    expect(runtime.status().state).toBe("starting");
    expect(runtime.policy("staging")).toBeNull();
  });

  it("K6: is renewed with every revision, not with one that cannot be built", async () => {
    const { source, reaches } = await aReadyRuntime();
    await expect.poll(() => source.saved?.revision, timeout).toBe(1);
    source.commit({ moduleConfigs: inBothViews() });
    await reaches("degraded", 1);
    await aWhile();
    expect(source.saved?.revision).toBe(1);
    source.commit({ moduleConfigs: aSnapshot().moduleConfigs });
    await expect.poll(() => source.saved?.revision, timeout).toBe(3);
  });

  it("K6: cannot be saved, vehicles are served all the same", async () => {
    const source = new FakeSource();
    source.failing.add("save");
    const { runtime, lines } = await aReadyRuntime({ source });
    await expect
      .poll(() => lines.filter(({ level }) => level === "warn").map(({ message }) => message), timeout)
      .toEqual(["the policy cannot be kept on disk"]);
    source.failing.clear();
    source.commit();
    await expect.poll(() => source.saved?.revision, timeout).toBe(2);
    expect(runtime.status().state).toBe("ready");
  });
});
