import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as actionRoute from "@/app/api/v1/applications/action/route";
import * as groupsPromote from "@/app/api/v1/groups/promote/route";
import * as approvalRoute from "@/app/api/v1/releases/approvals/[id]/route";
import * as releasesRoute from "@/app/api/v1/releases/route";
import * as cancelRoute from "@/app/api/v1/rollouts/current/cancel/route";
import { loadSideCounts } from "@/lib/fleet/rollout/side-counts";
import { writeBackupFile } from "@/lib/platform/backup/backup-file";
import { requireRestorable, restoreDocuments } from "@/lib/platform/backup/restore";
import { prepareDatabase } from "@/lib/platform/db/prepare";
import { readRevision } from "@/lib/platform/db/revision";
import { snapshotBefore } from "@/lib/policy/rollout/before";
import { createSnapshotLoader } from "@/lib/policy/snapshot/load-snapshot";
import { saveFreeze } from "@/lib/records/publishing/freeze";
import { rolloutAnswer } from "@/lib/releases/answer-schema";
import { advanceDue, brakeIfNeeded } from "@/lib/releases/rollout/watch-rollout";
import { SteadyClock, startRollouts, takeNews } from "@/lib/releases/rollout/start-rollouts";
import { scheduleRelease } from "@/lib/releases/schedule/commands";
import { publishDue } from "@/lib/releases/schedule/publish-due";
import { loadSettings } from "@/lib/platform/settings";
import { AuditEventModel } from "@/models/audit-event";
import { CounterModel } from "@/models/database/counter";
import { FunctionalGroupModel } from "@/models/functional-group";
import { ReleaseModel } from "@/models/release";
import { RolloutModel } from "@/models/rollout";
import { answerText, compiled, shortenedTable } from "@/test/support/answers";
import { findVersion, send, storeApp } from "@/test/support/applications";
import { elsewhere, testContext } from "@/test/support/database";
import { decodeHeader, endMailServers, readMail, startMailServer } from "@/test/support/mail-server";
import { asPerson, callAs, usePeople } from "@/test/support/people";
import {
  publish,
  publishAll,
  reviewed,
  rpcBody,
  stageBaseGroup,
  stageGroup,
  withFirstRelease,
} from "@/test/support/releases";
import { callRoute } from "@/test/support/route-calls";
import { useSettings } from "@/test/support/settings";
import { temporaryFolder } from "@/test/support/temporary-folder";

/* Gradual rollouts (`fleet.md` S11 to S15). */

vi.mock("@/lib/fleet/rollout/side-counts", { spy: true });
withFirstRelease();
endMailServers();
afterEach(() => {
  useSettings({});
  vi.mocked(loadSideCounts).mockReset();
});

const hour = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * hour);
const start = (rollout: object = {}, more: object = {}) => publish({ items: "all", rollout, ...more });
/** What routes answer is what they say they answer. */
const asSaid = async (answer: ReturnType<typeof callRoute>) => {
  const { status, data, ...rest } = await answer;
  if (status === 200) expect(rolloutAnswer.parse(data)).toEqual(data);
  return { status, data, ...rest };
};
const current = async () => (await asSaid(callRoute("GET /api/v1/rollouts/current"))).data.rollout;
const act = (name: string) => asSaid(callRoute(`POST /api/v1/rollouts/current/${name}`));
const newest = () => RolloutModel.findOne({}).sort({ _id: -1 }).lean();
const events = async () =>
  (
    await AuditEventModel.find({ action: /^rollouts\./ })
      .sort({ _id: 1 })
      .lean()
  ).map(({ action }) => action);
/** What each side is told, by the names of its groups. */
async function sides() {
  const snapshot = await createSnapshotLoader().load();
  const states = [snapshot, ...(snapshot.rollout ? [snapshotBefore(snapshot, snapshot.rollout)] : [])];
  const namesOf = ({ groups }: typeof snapshot) =>
    groups.production.flatMap(({ name, isDeleted }) => (isDeleted ? [] : name)).sort();
  return states.map((state) => namesOf(state as typeof snapshot));
}
const both = [["Base", "Seats"], ["Base"]];

beforeEach(() => stageGroup("Seats", { rpcs: [rpcBody("Show", ["FULL"])] }));

describe("S11, S15: starting one", () => {
  it("S11: a release goes to some cars first: one revision, both sides, and what is kept of it", async () => {
    expect(await current()).toBeNull();
    const before = await readRevision();
    const answer = await start({ countries: ["WAEGB"] }, { name: "Fair" });
    expect(answer).toMatchObject({ status: 200, data: { release: { number: 2, name: "Fair" } } });
    expect(await readRevision()).toBe(before + 1);
    expect(await current()).toEqual({
      ...{ number: 1, state: "running", release: 2, before: 1, step: 0, percent: 1 },
      ...{ countries: ["WAEGB"], software: [], hardware: [] },
      steps: [1, 10, 50, 100].map((percent) => ({ percent, hours: 24 })),
      ...{ paused_at: null, paused_because: null, brake: null, ended_at: null },
      author: expect.objectContaining({ actor: "admin" }),
      ...{ started_at: expect.any(String), step_since: expect.any(String), next_at: expect.any(String) },
      history: [{ act: "start", at: expect.any(String), percent: 1, by: expect.anything(), because: null }],
    });
    expect(await sides()).toEqual(both);
    expect((await newest())?.salt).toMatch(/^[0-9a-f]{32}$/);
    expect(await events()).toEqual(["rollouts.start"]);
  });

  it("S14: both compile to what the releases answered", async () => {
    const old = await compiled(await createSnapshotLoader().load(), "production");
    await stageBaseGroup(rpcBody("Alert", ["FULL"]));
    await start();
    const snapshot = await createSnapshotLoader().load();
    if (snapshot.rollout === null) throw new Error("a rollout is alive");
    const state = await compiled(snapshotBefore(snapshot, snapshot.rollout), "production");
    expect(answerText(state, shortenedTable({}))).toBe(answerText(old, shortenedTable({})));
    expect(answerText(await compiled(snapshot, "production"), shortenedTable({}))).toContain("Alert");
  });

  it.each<[object, string]>([
    [{ steps: [] }, "1 to 10 steps"],
    [{ steps: "x" }, "1 to 10 steps"],
    [{ steps: Array.from({ length: 11 }, (_, at) => ({ percent: at + 1, hours: 1 })) }, "1 to 10 steps"],
    [{ steps: [{ percent: 10, hours: 1 }] }, "100 percent"],
    [{ steps: [{ percent: 10 }, { percent: 10 }, { percent: 100 }] }, "grow"],
    [{ steps: [{ percent: 0 }, { percent: 100 }] }, "above 0"],
    [{ steps: [{ percent: 101 }] }, "at most 100"],
    [{ steps: [{ percent: 1, hours: 0 }, { percent: 100 }] }, "hours"],
    [{ countries: "DE" }, "countries"],
    [{ software: [""] }, "software"],
    [{ hardware: [5] }, "hardware"],
  ])("S15: refuses %j", async (rollout, sentence) => {
    const { status, message } = await start(rollout);
    expect([status, message]).toEqual([400, expect.stringContaining(sentence)]);
    expect(await newest()).toBeNull();
  });

  it("S11: apps alone cannot be rolled out, and a dry run starts nothing", async () => {
    await publishAll();
    await storeApp("11111111-aaaa-4bbb-8ccc-000000000001", "STAGING");
    expect((await start()).status).toBe(400);
    await stageGroup("Doors");
    expect((await start({}, { dry_run: true })).status).toBe(200);
    expect(await newest()).toBeNull();
  });

  it("S11: one that begins with all cars is over at once", async () => {
    expect((await start({ steps: [{ percent: 100, hours: 5 }] })).status).toBe(200);
    expect([await current(), (await newest())?.state]).toEqual([null, "finished"]);
    expect(await events()).toEqual(["rollouts.start", "rollouts.finish"]);
    expect((await sides()).length).toBe(1);
  });
});

describe("S11: while one is alive", () => {
  it("S11: every other door of publication is closed, and names it", async () => {
    const scheduled = await scheduleRelease(
      { items: "all", name: null, note: null, force: true, reason: "tested" },
      inHours(1),
      testContext,
    );
    await start();
    await stageGroup("Doors");
    const closed = [
      await publish({ items: "all" }),
      await publish({ items: await reviewed("group:Doors"), dry_run: true }),
      await start(),
      await send(groupsPromote.POST, { id: (await reviewed("group:Doors")).map(({ id }) => id) }),
    ];
    for (const { status, message } of closed) {
      expect([status, message]).toEqual([409, expect.stringContaining("Release 2 is being rolled out (1 %, running)")]);
    }
    await publishDue(inHours(2));
    const { data } = await callRoute("GET /api/v1/releases/scheduled");
    expect(data.scheduled).toMatchObject([{ id: scheduled.id, state: "stopped" }]);
    await act("pause");
    expect(await publish({ items: "all" })).toMatchObject({ status: 409, data: { rollout: { state: "paused" } } });
    expect(await ReleaseModel.countDocuments({})).toBe(2);
    await act("finish");
    expect((await publish({ items: "all" })).status).toBe(200);
  });

  it("S11: a rollback ends it, for all cars", async () => {
    await start();
    const { status } = await callRoute("POST /api/v1/releases/{n}/return", { params: { n: "1" }, body: {} });
    expect([status, await current(), (await newest())?.state]).toEqual([200, null, "cancelled"]);
    expect(await sides()).toEqual([["Base"]]);
  });

  it("S14: decisions about apps take effect on both sides", async () => {
    const id = await storeApp("11111111-aaaa-4bbb-8ccc-000000000001", "STAGING");
    const items = await reviewed("group:Seats");
    await publish({ items, rollout: {} });
    const decide = (status: string, more: object = {}) =>
      send(actionRoute.POST, { id, approval_status: status, ...more });
    expect((await decide("ACCEPTED")).status).toBe(200);
    expect((await findVersion(id))?.approvalStatus).toBe("ACCEPTED");
    expect((await decide("LIMITED", { blacklist: true })).status).toBe(200);
    const snapshot = await createSnapshotLoader().load();
    if (snapshot.rollout === null) throw new Error("a rollout is alive");
    const app = snapshotBefore(snapshot, snapshot.rollout).apps.byUuid("11111111-aaaa-4bbb-8ccc-000000000001");
    expect(app?.isBlacklisted).toBe(true);
    expect(snapshot.apps.byUuid("11111111-aaaa-4bbb-8ccc-000000000001")).toBe(app);
  });

  it("S11: the database itself refuses a second one that is alive", async () => {
    await start();
    const stored = await newest();
    await expect(RolloutModel.insertMany([{ ...stored, _id: 9 }])).rejects.toThrow(/duplicate|E11000/);
  });
});

describe("S13: what people do", () => {
  it("S13: the commands, in their states", async () => {
    for (const name of ["pause", "resume", "advance", "finish", "cancel"]) {
      expect(await act(name)).toMatchObject({ status: 409, message: "No release is being rolled out" });
    }
    await start({ steps: [{ percent: 5, hours: null }, { percent: 50, hours: 2 }, { percent: 100 }] });
    expect((await current()).next_at).toBeNull();
    expect((await act("resume")).status).toBe(409);
    expect((await act("pause")).data.rollout).toMatchObject({ state: "paused", paused_at: expect.any(String) });
    for (const name of ["pause", "advance"]) expect((await act(name)).status).toBe(409);
    expect((await act("resume")).data.rollout).toMatchObject({ state: "running", paused_at: null, percent: 5 });
    expect((await act("advance")).data.rollout).toMatchObject({ step: 1, percent: 50, next_at: expect.any(String) });
    expect((await act("advance")).data.rollout).toMatchObject({ state: "finished", ended_at: expect.any(String) });
    expect(await sides()).toEqual([["Base", "Seats"]]);
    expect(await events()).toEqual(["start", "pause", "resume", "step", "finish"].map((one) => `rollouts.${one}`));
    const history = (await newest())?.history.map((one) => [one.act, one.percent]);
    expect(history).toEqual([
      ["start", 5],
      ["pause", 5],
      ["resume", 5],
      ["step", 50],
      ["finish", 100],
    ]);
  });

  it("S13: the pause is no part of the step", async () => {
    await start();
    const { next_at: before } = await current();
    await act("pause");
    await RolloutModel.updateOne({}, { $set: { pausedAt: inHours(-5) } });
    await act("resume");
    const later = Date.parse((await current()).next_at) - Date.parse(before);
    expect(Math.round(later / hour)).toBe(5);
  });

  it("S13: called off, production is rolled back for all cars, and staging keeps its edits", async () => {
    await start();
    await stageGroup("Doors");
    expect((await act("cancel")).data.rollout).toMatchObject({ state: "cancelled", release: 2 });
    expect(await sides()).toEqual([["Base"]]);
    expect(await ReleaseModel.findOne({}).sort({ _id: -1 }).lean()).toMatchObject({
      ...{ _id: 3, kind: "return", returnedTo: 1 },
      note: "The rollout of release 2 was called off",
    });
    expect((await reviewed()).map(({ key }) => key)).toEqual(["Doors"]);
    expect(await events()).toEqual(["rollouts.start", "rollouts.cancel"]);
  });

  it("S13: filters hold until the end: the last step is for their cars, then all get it", async () => {
    await start({ steps: [{ percent: 100, hours: 1 }], countries: ["WAEGB"] });
    expect(await current()).toMatchObject({ state: "running", percent: 100 });
    expect(await sides()).toEqual(both);
    expect(await advanceDue(inHours(2))).toBe(true);
    expect(await current()).toBeNull();
  });
});

describe("S15: the second person", () => {
  const [paula, peter] = [asPerson("Paula", "publisher"), asPerson("Peter", "publisher")];

  it("S15: is needed for starting one, with what was asked for, and for no stop", async () => {
    const rollout = {
      steps: [
        { percent: 3, hours: 2 },
        { percent: 100, hours: null },
      ],
      software: ["7.1"],
    };
    const ask = () => callAs(paula, releasesRoute.POST, { body: { items: "all", rollout } });
    usePeople({ PUBLISH_APPROVALS: "releases" });
    const { approval } = (await ask()).data;
    expect(approval).toMatchObject({ rollout: { ...rollout, countries: [], hardware: [] } });
    expect(approval.title).toBe("Publish 1 change to some cars first");
    expect((await ask()).data.approval.id).toBe(approval.id);
    expect(await newest()).toBeNull();
    const approved = await callAs(peter, approvalRoute.POST, { method: "POST", params: { id: String(approval.id) } });
    expect(approved.status).toBe(200);
    expect(await newest()).toMatchObject({ steps: rollout.steps, software: ["7.1"], author: { displayName: "Paula" } });
    const cancelled = await callAs(paula, cancelRoute.POST, { method: "POST" });
    expect(cancelled).toMatchObject({ status: 200, data: { rollout: { state: "cancelled" } } });
  });

  it("S13: a stop that gives back what the release took away waits for nobody", async () => {
    await publishAll();
    await stageGroup("Seats", { is_deleted: true });
    await stageBaseGroup(rpcBody("Alert", ["FULL"]));
    await publishAll();
    await stageBaseGroup();
    await start();
    usePeople({ PUBLISH_APPROVALS: "releases" });
    expect((await callAs(paula, cancelRoute.POST, { method: "POST" })).status).toBe(200);
    expect(await FunctionalGroupModel.findOne({ name: "Base" }).sort({ _id: -1 }).lean()).toMatchObject({
      rpcs: expect.arrayContaining([expect.objectContaining({ name: "Alert" })]),
    });
  });
});

describe("S13: the clock", () => {
  it("S13: takes a step when its time has come, once, however many instances look", async () => {
    await start();
    expect(await advanceDue(inHours(23))).toBe(false);
    const taken = await Promise.all([1, 2, 3].map(() => advanceDue(inHours(25))));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await current()).toMatchObject({ step: 1, percent: 10 });
    expect(await advanceDue(inHours(30))).toBe(false);
    for (const hours of [50, 75]) expect(await advanceDue(inHours(hours))).toBe(true);
    expect([await current(), (await newest())?.state]).toEqual([null, "finished"]);
    expect(await events()).toEqual(["start", "step", "step", "finish"].map((one) => `rollouts.${one}`));
    expect((await newest())?.history.at(-1)?.by).toBeNull();
  });

  it("S13, L14: a pause and a freeze hold it; a freeze also holds people, but no stop", async () => {
    await start();
    await act("pause");
    expect(await advanceDue(inHours(25))).toBe(false);
    await act("resume");
    await saveFreeze({ from: inHours(-1), to: inHours(40), reason: "Fair" }, testContext);
    expect(await advanceDue(inHours(25))).toBe(false);
    for (const name of ["advance", "finish"]) {
      expect(await act(name)).toMatchObject({ status: 409, message: expect.stringContaining("frozen") });
    }
    expect((await act("pause")).status).toBe(200);
    expect((await act("resume")).status).toBe(409);
    expect((await act("cancel")).status).toBe(200);
  });

  it("S13: a clock that jumps ends no step, and one that is set back holds none for long", async () => {
    let [now, elapsed] = [1_000_000_000, 0];
    const clock = new SteadyClock({ now: () => now, elapsed: () => elapsed, every: () => () => undefined });
    const after = (ms: number, jump = 0) => {
      [now, elapsed] = [now + ms + jump, elapsed + ms];
      return clock.now();
    };
    expect([after(5_000), after(5_000, 900)].every((one) => one === null)).toBe(false);
    expect([after(5_000, 30 * 24 * hour), after(5_000), after(5_000, -30 * 24 * hour), after(590_000)]).toEqual(
      Array(4).fill(null),
    );
    expect(after(30_000)).toBe(now);

    await start();
    await RolloutModel.updateOne({}, { $set: { stepSince: inHours(24 * 365) } });
    expect(await advanceDue(new Date())).toBe(false);
    expect(Date.parse((await current()).next_at)).toBeLessThan(inHours(25).getTime());
  });
});

describe("S14: elsewhere and before", () => {
  it("S14: a restored one goes on where it was: the same salt, and as much of the step is left", async () => {
    const file = path.join(temporaryFolder(), "backup.gz");
    await start();
    await advanceDue(inHours(25));
    await RolloutModel.updateOne({}, { $set: { stepSince: inHours(-10) } });
    const before = await newest();
    await writeBackupFile(file);
    const header = { ...(await requireRestorable(file)), at: inHours(-72).toISOString() };
    const restored = await elsewhere(async () => {
      await restoreDocuments(file, header, { head: null, ids: [] });
      const [kept, states] = [await newest(), await sides()];
      return { kept, states, taken: [await advanceDue(inHours(85)), await advanceDue(inHours(87))] };
    });
    expect(restored.states).toEqual(both);
    expect(restored.taken).toEqual([false, true]);
    expect(restored.kept).toEqual({ ...before, stepSince: expect.any(Date) });
  });

  it("S14: data of a version without rollouts gets one, and such a version gives production to all", async () => {
    await RolloutModel.collection.drop();
    await CounterModel.deleteOne({ _id: "rollouts" });
    expect(await sides()).toEqual([["Base"]]);
    await prepareDatabase();
    await start();
    expect(await sides()).toEqual(both);
    expect(await RolloutModel.collection.indexExists("slot_1")).toBe(true);
    await RolloutModel.collection.drop();
    expect(await sides()).toEqual([["Base", "Seats"]]);
  });
});

const none = { requests: 0, rejected: 0, removed: 0, repeats: 0 };

describe("S13: the brake", () => {
  const counts = { in: none, out: none };
  const count = (side: "in" | "out", requests: number, rejected: number) => {
    const { [side]: known } = counts;
    counts[side] = { ...known, requests: known.requests + requests, rejected: known.rejected + rejected };
    vi.mocked(loadSideCounts).mockResolvedValue(structuredClone(counts));
  };
  beforeEach(() => Object.assign(counts, { in: none, out: none }));

  it("S13: pauses it, once, with the figure as the reason; what was counted before is no reason", async () => {
    count("in", 100, 900);
    count("out", 100, 1);
    await start();
    expect(await brakeIfNeeded(new Date())).toBe(false);
    count("in", 40, 4);
    count("out", 4_000, 400);
    expect(await brakeIfNeeded(new Date())).toBe(false);
    count("in", 40, 40);
    const braked = await Promise.all([brakeIfNeeded(new Date()), brakeIfNeeded(new Date())]);
    expect(braked.filter(Boolean)).toHaveLength(1);
    const because = "rejected calls: 0.55 a request of the cars inside, 0.1 of those outside";
    expect(await current()).toMatchObject({ state: "paused", brake: "rejected", paused_because: because });
    expect(await AuditEventModel.findOne({ action: "rollouts.brake" }).lean()).toMatchObject({
      target: "rollout:2",
      after: { figure: "rejected", reason: because },
    });
    expect(await advanceDue(inHours(25))).toBe(false);
    await act("resume");
    expect(await current()).toMatchObject({ state: "running", brake: null, paused_because: null });
    expect([await brakeIfNeeded(new Date()), await brakeIfNeeded(new Date())]).toEqual([false, false]);
  });

  it("S13: does nothing without a rollout, or without counts", async () => {
    expect(await brakeIfNeeded(new Date())).toBe(false);
    await start();
    expect([await brakeIfNeeded(new Date()), await brakeIfNeeded(new Date())]).toEqual([false, false]);
  });
});

describe("S15: what is told", () => {
  it("S15: each happening is mailed once, however many instances look", async () => {
    const { port, received } = await startMailServer();
    useSettings({
      ...{ SMTP_HOST: "127.0.0.1", SMTP_PORT: String(port), SMTP_FROM: "policy@example.com" },
      ...{ NOTIFY_APP_REVIEW_FREQUENCY: "REALTIME", NOTIFY_APP_REVIEW_EMAILS: "one@example.com" },
      PUBLIC_BASE_URL: "https://policy.example.com",
    });
    await start();
    await act("pause");
    await act("resume");
    const ends = [startRollouts(loadSettings(), 20), startRollouts(loadSettings(), 20)];
    await expect.poll(() => received.length).toBe(3);
    await act("finish");
    await expect.poll(() => received.length).toBe(4);
    for (const end of ends) await end();
    const mails = received.map(readMail);
    expect(mails.map(({ headers }) => decodeHeader(headers["subject"] ?? ""))).toEqual([
      "Release 2 goes to 1 % of the cars first",
      "The rollout of release 2 was paused",
      "The rollout of release 2 was resumed",
      "Release 2 goes to all cars",
    ]);
    expect(mails[0]?.text).toContain("https://policy.example.com/releases/2");
    expect(await takeNews()).toEqual([]);
  });

  it("S15: scheduled ones keep how they are rolled out", async () => {
    const rollout = {
      steps: [
        { percent: 7, hours: 3 },
        { percent: 100, hours: null },
      ],
    };
    const { data } = await start(rollout, { at: inHours(1).toISOString() });
    expect(data.scheduled).toMatchObject([{ rollout: { ...rollout, countries: [] } }]);
    await publishDue(inHours(2));
    expect(await current()).toMatchObject({ percent: 7, release: 2 });
  });
});
