import { describe, expect, it } from "vitest";
import { environments } from "@/lib/vocabulary/terms";
import { answerText, shortenedTable } from "@/test/support/answers";
import {
  aBaseGroup,
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

const objectionsIn = (lines: ReturnType<typeof aRuntime>["lines"]) =>
  lines
    .filter(({ message }) => message === "head units would report problems with the policy table")
    .map(({ details }) => details as { environment: string; count: number; findings: readonly object[] });

describe("K1, K4: policies in service", () => {
  it("there is none before the start, and the state says so", () => {
    const { runtime } = aRuntime(new FakeSource());
    expect(environments.map((environment) => runtime.policy(environment))).toEqual([null, null]);
    expect(runtime.isCurrent).toBe(false);
    expect(runtime.status()).toEqual({
      state: "starting",
      revision: null,
      builtAt: null,
      confirmedAt: null,
      apps: 0,
      groups: { staging: 0, production: 0 },
      messages: { staging: 0, production: 0 },
      database: "embedded",
      lastError: null,
      unexpectedDatabase: null,
    });
  });

  it("after the first build the state is ready and counts what is not deleted", async () => {
    const { runtime } = await aReadyRuntime({
      snapshot: aSnapshot({
        revision: 12,
        groups: { staging: [aGroup(), aGroup({ name: "Gone", isDeleted: true })], production: [] },
        messages: { staging: [aMessage({ isDeleted: true })], production: [aMessage()] },
        apps: aCatalogue([anApp(), anApp({ uuid: "2" })]),
      }),
      now: () => 1_700_000_000_000,
      database: "mongodb",
    });
    expect(runtime.isCurrent).toBe(true);
    expect(runtime.status()).toEqual({
      state: "ready",
      revision: 12,
      builtAt: 1_700_000_000_000,
      confirmedAt: 1_700_000_000_000,
      apps: 2,
      groups: { staging: 1, production: 0 },
      messages: { staging: 0, production: 1 },
      database: "mongodb",
      lastError: null,
      unexpectedDatabase: null,
    });
    expect(environments.map((environment) => runtime.policy(environment)?.environment)).toEqual([...environments]);
  });

  it("K4: a new revision replaces the policies of both environments", async () => {
    const { source, runtime, reaches } = await aReadyRuntime();
    expect(defaultGroups(runtime)).toEqual(["Base", "Base"]);
    source.commit(renamed("Other"));
    await reaches("ready", 2);
    expect(defaultGroups(runtime)).toEqual(["Other", "Other"]);
    expect(environments.map((environment) => runtime.policy(environment)?.revision)).toEqual([2, 2]);
  });

  it("nothing is loaded while the revision stays", async () => {
    const { source, runtime } = await aReadyRuntime();
    const policy = runtime.policy("staging");
    const looks = source.calls.readRevision;
    await expect.poll(() => source.calls.readRevision, timeout).toBeGreaterThan(looks + 3);
    expect(source.calls.load).toBe(1);
    expect(runtime.policy("staging")).toBe(policy);
  });

  it("settings and certificates of every snapshot reach its tables", async () => {
    const { source, runtime, reaches } = await aReadyRuntime({
      policyOptions: ({ revision }) => policyOptions({ publicBaseUrl: `https://r${revision}.example.com` }),
    });
    source.commit();
    await reaches("ready", 2);
    const policy = runtime.policy("staging");
    expect(policy && answerText(policy, shortenedTable({}))).toContain("https://r2.example.com/api/v1/staging/policy");
  });
});

describe("K3: news of a commit", () => {
  const anHour = 3_600_000;

  it("other settings reach the tables of the same revision once it is told to reconsider", async () => {
    let publicBaseUrl = "https://old.example";
    const { source, runtime } = await aReadyRuntime({ policyOptions: () => policyOptions({ publicBaseUrl }) });
    const address = () => {
      const policy = runtime.policy("production");
      return policy && answerText(policy, shortenedTable({})).includes(publicBaseUrl);
    };
    expect(address()).toBe(true);
    publicBaseUrl = "https://new.example";
    await aWhile();
    expect(address()).toBe(false);
    runtime.reconsider();
    await expect.poll(address, timeout).toBe(true);
    expect(source.calls.load).toBe(2);
  });

  it("K3: a commit of this process is looked at at once", async () => {
    const { source, reaches } = await aReadyRuntime({ pollMs: anHour });
    for (const revision of [2, 3]) {
      source.commit();
      source.announce();
      await reaches("ready", revision);
    }
  });

  it("K3: a commit during a build is not missed", async () => {
    const source = new FakeSource();
    const { promise, resolve } = withResolvers();
    source.gate = promise;
    const { runtime, reaches } = aRuntime(source, { pollMs: anHour });
    runtime.start();
    await expect.poll(() => source.calls.load, timeout).toBe(1);
    source.commit();
    source.announce();
    resolve();
    await reaches("ready", 2);
  });
});

describe("what is logged", () => {
  it("G5: records left out, with their environment", async () => {
    const source = new FakeSource();
    const languages = [aMessageLanguage({ languageId: "de-de" })];
    source.commit({ messages: { staging: [aMessage({ languages })], production: [] } });
    const { lines } = await aReadyRuntime({ source });
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
    const told = () => objectionsIn(lines).filter(({ environment }) => environment === "staging");
    expect(told()).toEqual([expect.objectContaining({ findings: expect.arrayContaining([refused]) })]);
    const { groups } = source.snapshot;
    source.commit({ groups: aSnapshot().groups });
    await reaches("ready", 2);
    expect(runtime.findings("staging")).not.toContainEqual(refused);
    source.commit({ groups });
    await reaches("ready", 3);
    expect(told().length).toBeGreaterThan(1);
  });

  it("F10: what head units object to is one line, and none again while that stays the same", async () => {
    const bad = [1, 2, 3].map((n) => aGroup({ name: `G${n}`, isDefault: true, isPreDataConsent: true }));
    const { source, runtime, lines, reaches } = await aReadyRuntime({
      snapshot: aSnapshot({ groups: inBothViews(...bad) }),
    });
    const found = runtime.findings("production").filter(({ severity }) => severity !== "stranded");
    expect(objectionsIn(lines).map(({ environment, count }) => [environment, count])).toEqual([
      ["staging", found.length],
      ["production", found.length],
    ]);
    source.commit({ messages: inBothViews(aMessage()) });
    await reaches("ready", 2);
    expect(objectionsIn(lines)).toHaveLength(2);
  });

  it("finding A4, rules F3 and G10: groups without their question, and that no app can register", async () => {
    const source = new FakeSource();
    const asking = aBaseGroup({ name: "Location-1", userConsentPrompt: "Location" });
    const groups = { staging: [asking], production: [asking, { ...asking, userConsentPrompt: null }] };
    source.commit({ groups, messages: { staging: [], production: [aMessage()] } });
    const { runtime, lines } = await aReadyRuntime({ source });
    expect(runtime.findings("production")).toEqual([]);
    const left = { rule: "F3 user_consent_prompt", path: "functional_groupings.Location-1" };
    const shut = { rule: "G10 registration", path: "app_policies.default.groups" };
    const found = runtime.findings("staging");
    expect(found).toContainEqual(expect.objectContaining(left));
    expect(found).toContainEqual(expect.objectContaining(shut));
    const logged = objectionsIn(lines).filter(({ environment }) => environment === "staging");
    expect(logged[0]?.findings).toContainEqual(expect.objectContaining({ path: shut.path }));
  });

  it("G9: what head units refuse in an app's entry, once its answer is made; kept until it is gone", async () => {
    const apps = aCatalogue([anApp({ versions: [anAppVersion()] })]);
    const { source, runtime, lines, reaches } = await aReadyRuntime({
      snapshot: aSnapshot({ groups: inBothViews(aGroup({ isDevice: true })), apps }),
    });
    const objections = () => objectionsIn(lines);
    const before = objections().length;
    const policy = runtime.policy("production");
    expect(policy && answerText(policy, shortenedTable({ "11111111aa": {} }))).toContain('"groups":[]');
    expect(objections()).toHaveLength(before);
    await expect.poll(() => objections().length, timeout).toBe(before + 1);
    const path = "app_policies.11111111-aaaa-4bbb-8ccc-000000000001.groups";
    const uuid = "11111111-aaaa-4bbb-8ccc-000000000001";
    expect(objections().at(-1)).toMatchObject({
      environment: "production",
      uuid,
      findings: [{ severity: "refused", path }],
    });
    expect(runtime.appFindings("production")).toMatchObject([{ uuid, findings: [{ severity: "refused", path }] }]);
    expect(runtime.appFindings("staging")).toEqual([]);
    source.commit({ groups: aSnapshot().groups });
    await reaches("ready", 2);
    await expect.poll(() => runtime.appFindings("production"), timeout).toEqual([]);
  });

  it("A30: what is cut of an app that was stored before it was cut, with app and field", async () => {
    const apps = aCatalogue([anApp({ versions: [anAppVersion({ displayNames: ["x".repeat(256)] })] })]);
    const { runtime, lines } = await aReadyRuntime({ snapshot: aSnapshot({ apps }) });
    const policy = runtime.policy("production");
    expect(policy && answerText(policy, shortenedTable({ "11111111aa": {} }))).toContain(`"${"x".repeat(255)}"`);
    const uuid = "11111111-aaaa-4bbb-8ccc-000000000001";
    await expect
      .poll(() => lines.map(({ details }) => details), timeout)
      .toContainEqual(expect.objectContaining({ environment: "production", uuid, field: "display_names" }));
  });
});

describe("finding A9: what this process has written", () => {
  it("is in the policies in service when one has waited for it", async () => {
    const { source, runtime } = await aReadyRuntime({ pollMs: 60_000 });
    expect(await runtime.caughtUp()).toBe(true);
    const { promise, resolve } = withResolvers();
    source.gate = promise;
    source.commit(renamed("New"));
    source.announce();
    const caughtUp = runtime.caughtUp(120_000);
    expect(defaultGroups(runtime)).not.toContain("New");
    resolve();
    expect(await caughtUp).toBe(true);
    expect(defaultGroups(runtime)).toEqual(["New", "New"]);
  });

  it("is not waited for longer than the timeout, nor while the database cannot be read", async () => {
    const { source, runtime, reaches } = await aReadyRuntime({ pollMs: 60_000 });
    const { promise, resolve } = withResolvers();
    source.gate = promise;
    source.commit();
    source.announce();
    expect(await runtime.caughtUp(1)).toBe(false);
    source.failing.add("readRevision");
    resolve();
    source.announce();
    await reaches("degraded", 2);
    expect(await runtime.caughtUp(120_000)).toBe(false);
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
    const { source, runtime } = await aReadyRuntime();
    await runtime.stop();
    const looks = source.calls.readRevision;
    source.commit();
    await aWhile();
    expect(source.calls.readRevision).toBe(looks);
    expect(source.listeners.size).toBe(0);
    expect(source.saved?.revision).toBe(1);
    expect(defaultGroups(runtime)).toEqual(["Base", "Base"]);
  });

  it("stop waits for a save under way", async () => {
    const source = new FakeSource();
    const { promise, resolve } = withResolvers();
    source.saveGate = promise;
    const { runtime } = await aReadyRuntime({ source });
    await expect.poll(() => source.calls.save, timeout).toBe(1);
    const stopped = runtime.stop().then(() => source.saved?.revision);
    setImmediate(resolve);
    expect(await stopped).toBe(1);
  });

  it("stop ends a runtime whose database never came, and one that never started", async () => {
    const source = new FakeSource();
    source.failing.add("open");
    const { runtime } = aRuntime(source);
    runtime.start();
    await expect.poll(() => source.calls.open, timeout).toBe(1);
    await runtime.stop();
    expect(source.calls.readRevision).toBe(0);
    await aRuntime(new FakeSource()).runtime.stop();
  });
});

describe("finding G4: what is kept on disk", () => {
  const minute = 60_000;

  it("is replaced when it is of a database that this one has replaced, also at the same revision", async () => {
    const source = new FakeSource();
    source.saved = { ...aSnapshot(), origin: { databaseId: "other", confirmedAt: 1 } };
    source.facts = { databaseId: "this", succeeds: ["other"], madeAt: 2 };
    await aReadyRuntime({ source, saveDelayMs: 0 });
    await expect.poll(() => source.calls.save, timeout).toBe(1);
  });

  it("O1: tells when it was last written or confirmed, and stays at that while neither is possible", async () => {
    const source = new FakeSource();
    source.failing.add("save");
    let isDiskWell = true;
    const confirm = () => (isDiskWell ? Promise.resolve() : Promise.reject(new Error("read-only")));
    const start = Date.now();
    let now = start;
    const { runtime, reaches } = aRuntime(Object.assign(source, { confirm }), { saveDelayMs: 0, now: () => now });
    runtime.start();
    await reaches("ready", source.snapshot.revision);
    await expect.poll(() => source.calls.save, timeout).toBe(1);
    expect(runtime.savedAt).toBe(0);
    source.failing.clear();
    source.commit();
    await expect.poll(() => runtime.savedAt, timeout).toBeGreaterThanOrEqual(start);
    now = start + 10 * minute;
    await expect.poll(() => runtime.savedAt, timeout).toBe(now);
    isDiskWell = false;
    now += 10 * minute;
    await expect.poll(() => runtime.status().confirmedAt, timeout).toBe(now);
    expect(runtime.savedAt).toBe(start + 10 * minute);
  });

  it("O1: one that another process keeps has no such time", () =>
    expect(aRuntime(Object.assign(new FakeSource(), { save: undefined })).runtime.savedAt).toBeNull());

  it("has the age of the last look that confirmed it, over restarts", async () => {
    const source = new FakeSource();
    const weekAgo = 1_700_000_000_000;
    source.saved = { ...aSnapshot(), origin: { databaseId: null, confirmedAt: weekAgo } };
    source.failing.add("open");
    let now = weekAgo + 7 * 24 * 60 * minute;
    const confirmed: number[] = [];
    const confirm = (at: number) => Promise.resolve(void confirmed.push(at));
    const { runtime, reaches } = aRuntime(Object.assign(source, { confirm }), { now: () => now });
    runtime.start();
    await reaches("degraded", source.snapshot.revision);
    expect(runtime.status().confirmedAt).toBe(weekAgo);
    source.failing.clear();
    await reaches("ready", source.snapshot.revision);
    await expect.poll(() => runtime.status().confirmedAt, timeout).toBe(now);
    await expect.poll(() => confirmed, timeout).toEqual([now]);
    now += minute / 2;
    await expect.poll(() => runtime.status().confirmedAt, timeout).toBe(now);
    expect(confirmed).toHaveLength(1);
    now += minute;
    await expect.poll(() => confirmed, timeout).toEqual([now - 1.5 * minute, now]);
    source.failing.add("readRevision");
    await reaches("degraded", source.snapshot.revision);
    now += minute;
    expect(runtime.status().confirmedAt).toBe(now - minute);
  });
});
