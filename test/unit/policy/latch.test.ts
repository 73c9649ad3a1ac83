import { describe, expect, it } from "vitest";
import type { DatabaseFacts } from "@/lib/policy/latch";
import { formatGivenUp, givenUpPolicy } from "@/lib/platform/settings/kinds";
import { answerText, shortenedTable } from "@/test/support/answers";
import { aSnapshot, inBothViews } from "@/test/support/builders";
import { aRuntime, FakeSource, renamed, timeout } from "@/test/support/fake-policy-source";

const hour = 3_600_000;
const confirmedAt = Date.UTC(2026, 10, 1);
/** What this server last served: database A at revision 7. */
const saved = { ...aSnapshot({ revision: 7, ...renamed("Saved") }), origin: { databaseId: "A", confirmedAt } };

function aServer(facts: Partial<DatabaseFacts>, revision: number, options: Parameters<typeof aRuntime>[1] = {}) {
  const source = new FakeSource();
  source.saved = saved;
  source.facts = { databaseId: null, succeeds: [], madeAt: null, ...facts };
  source.snapshot = aSnapshot({ revision, ...renamed("Found") });
  const server = aRuntime(source, { saveDelayMs: 0, ...options });
  const served = () => {
    const policy = server.runtime.policy("production");
    return policy && /"(Saved|Found|Newer)"/.exec(answerText(policy, shortenedTable({})))?.[1];
  };
  server.runtime.start();
  return { source, served, ...server };
}

describe("F2: the database is not the one that the last policy comes from", () => {
  it.each([
    ["empty", {}, 0, "The database is empty"],
    ["another one", { databaseId: "B" }, 9, "This is database B"],
    ["at an earlier revision", { databaseId: "A" }, 6, "went back in time: it is at revision 6"],
    [
      "a copy of one that was used afterwards",
      { databaseId: "B", succeeds: ["A"], madeAt: confirmedAt - hour },
      9,
      "which was in use after a copy of it was restored here",
    ],
  ])("is %s: vehicles keep the last policy, nothing is kept on disk, and the reason is told once", async (...row) => {
    const [, facts, revision, reason] = row;
    const changes: boolean[] = [];
    const latch = { onChange: (isUnexpected: boolean) => changes.push(isUnexpected) };
    const { runtime, source, lines, served, reaches } = aServer(facts, revision, { latch });
    await expect.poll(() => runtime.status().unexpectedDatabase, timeout).toContain(reason);
    await expect.poll(() => source.calls.open, timeout).toBeGreaterThan(1);
    await reaches("degraded", 7);
    expect(served()).toBe("Saved");
    const { lastError, unexpectedDatabase } = runtime.status();
    expect(lastError).toBe(unexpectedDatabase);
    expect(unexpectedDatabase).toContain("ACCEPT_EMPTY_DATABASE=A:7.");
    const errors = lines.filter(({ level }) => level === "error").map(({ message }) => message);
    expect(errors).toEqual([unexpectedDatabase]);
    expect(changes).toEqual([true]);
    expect(source.calls).toMatchObject({ load: 0, save: 0 });
  });

  it.each([
    ["the same at the same revision", { databaseId: "A" }, 7],
    ["the same at a later one", { databaseId: "A" }, 8],
    ["one that was restored in its place", { databaseId: "B", succeeds: ["X", "A"], madeAt: confirmedAt + 1 }, 5],
    [
      "restored by a machine whose clock is behind",
      { databaseId: "B", succeeds: ["A"], madeAt: confirmedAt - 1000 },
      5,
    ],
  ])("is %s: it is served", async (_, facts, revision) => {
    const { served, reaches, runtime } = aServer(facts, revision);
    await reaches("ready", revision);
    expect(served()).toBe("Found");
    expect(runtime.status().unexpectedDatabase).toBeNull();
  });

  it("is served once the operator has given up that policy, which is told; and no later policy", async () => {
    const latch = { givenUp: { databaseId: "A", revision: 7 } };
    const { source, lines, served, reaches, runtime } = aServer({ databaseId: "B" }, 3, { latch });
    await reaches("ready", 3);
    expect(served()).toBe("Found");
    expect(lines.filter(({ message }) => message.includes("given up"))).toHaveLength(1);
    await expect.poll(() => source.saved?.revision, timeout).toBe(3);
    source.facts = { ...source.facts, databaseId: "C" };
    source.commit(renamed("Newer"));
    await expect.poll(() => runtime.status().unexpectedDatabase, timeout).toContain("This is database C");
    expect(served()).toBe("Found");
  });

  it.each([
    { databaseId: "A", revision: 6 },
    { databaseId: "B", revision: 7 },
  ])("stays refused when the operator has given up %o", async (givenUp) => {
    const { runtime, served } = aServer({}, 0, { latch: { givenUp } });
    await expect.poll(() => runtime.status().unexpectedDatabase, timeout).not.toBeNull();
    expect(served()).toBe("Saved");
  });

  it("changes while the server runs: the policy stays, and goes on by itself when the database is back", async () => {
    const changes: boolean[] = [];
    const latch = { onChange: (isUnexpected: boolean) => changes.push(isUnexpected) };
    const { source, served, reaches, runtime } = aServer({ databaseId: "A" }, 7, { latch });
    await reaches("ready", 7);
    const { facts, snapshot } = source;
    source.facts = { databaseId: null, succeeds: [], madeAt: null };
    source.snapshot = aSnapshot({ revision: 0, ...renamed("Newer") });
    await expect.poll(() => runtime.status().unexpectedDatabase, timeout).toContain("The database is empty");
    expect(served()).toBe("Found");
    Object.assign(source, { facts, snapshot });
    await reaches("ready", 7);
    expect(runtime.status().unexpectedDatabase).toBeNull();
    expect(changes).toEqual([false, true, false]);
  });

  it("is unexpected to a policy on disk that cannot be used as well: nothing is served in its place", async () => {
    const source = new FakeSource();
    source.savedOrigin = () => Promise.resolve({ databaseId: "A", revision: 7, confirmedAt: null });
    const { runtime } = aRuntime(source);
    runtime.start();
    await expect.poll(() => runtime.status().unexpectedDatabase, timeout).toContain("The database is empty");
    expect(runtime.status().state).toBe("starting");
  });
});

it("N15b: the setting reads what the sentence names, and nothing else", () => {
  const setting = givenUpPolicy();
  for (const policy of [
    { databaseId: "0b54c0de-0000-4000-8000-000000000001", revision: 1234 },
    { databaseId: null, revision: 0 },
  ]) {
    expect(setting.parse(formatGivenUp(policy))).toEqual(policy);
  }
  for (const text of ["true", "A", "A:", ":7", "A:7:8", "A:-1"]) expect(setting.safeParse(text).success).toBe(false);
});

it("F10: first data that a full disk cut off are stored when there is space again, although no policy could be made of them", async () => {
  const source = new FakeSource();
  const { moduleConfigs } = source.snapshot;
  source.commit({ moduleConfigs: inBothViews() });
  source.refusal = "The disk is full.";
  const { runtime, reaches } = aRuntime(source);
  runtime.start();
  await expect.poll(() => runtime.status().lastError, timeout).toContain("NoModuleConfig");
  expect(runtime.status().state).toBe("starting");
  // As `createDatabaseSource` does, when it is asked again.
  source.writeRefusal = () => {
    if (source.snapshot.revision === 2) source.commit({ moduleConfigs });
    return Promise.resolve(null);
  };
  await reaches("ready", 3);
});
