import { constants, gunzipSync, inflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { buildAnswer } from "@/lib/policy/answer/answer";
import { joinGzip } from "@/lib/policy/answer/answer-gzip";
import { CompiledEntry } from "@/lib/policy/table/compiled-entry";
import { compilePolicy, type CompiledPolicy } from "@/lib/policy/table/compiled-policy";
import { readPolicyTable } from "@/lib/policy/answer/policy-request";
import type { AppCatalogue, PolicySnapshot, SnapshotApp } from "@/lib/policy/table/snapshot";
import { environments } from "@/lib/vocabulary/terms";
import { answeredTable, answerText, compiled, requestId, shortenedTable } from "@/test/support/answers";
import {
  aCatalogue,
  aGroup,
  anApp,
  anAppVersion,
  anRpc,
  aSnapshot,
  inBothViews,
  policyOptions,
} from "@/test/support/builders";
import { workedExample } from "@/test/support/worked-example";

const everyFlag = { isDefault: true, isDevice: true, isPreDataConsent: true };
const rpcsOf = (start: string) => Array.from({ length: 40 }, (_, at) => anRpc({ name: `${start}${at}` }));
const table = shortenedTable({ "11111111aa": {}, "22222222aa": {}, "33333333aa": {} });

const renewed = (snapshot: PolicySnapshot, earlier: CompiledPolicy | null) =>
  compilePolicy(snapshot, "production", policyOptions(), () => undefined, { earlier });

describe("K1: one compiled policy per environment and revision", () => {
  it.each(environments)("K1: knows its environment and revision (%s)", async (environment) => {
    const policy = await compiled({ ...workedExample, revision: 77 }, environment);
    expect(policy.environment).toBe(environment);
    expect(policy.revision).toBe(77);
  });

  it("K1: both variants of full_app_id_supported are finished bytes and differ in nothing else", async () => {
    const policy = await compiled(workedExample, "production");
    const long = policy.opening(true);
    const short = policy.opening(false);
    expect(long.bytes.toString()).toContain('"full_app_id_supported":true');
    expect(short.bytes.toString().replace('"full_app_id_supported":false', '"full_app_id_supported":true')).toBe(
      long.bytes.toString(),
    );
    expect(policy.opening(true)).toBe(long);
    expect(policy.opening(true).deflated).toBe(long.deflated);
  });

  it("K1: an app entry is compiled when first asked for and kept", async () => {
    const asked: string[] = [];
    const apps = aCatalogue([anApp()]);
    const counting: AppCatalogue = {
      byUuid: (uuid) => apps.byUuid(uuid),
      byShortId: (shortId) => {
        asked.push(shortId);
        return apps.byShortId(shortId);
      },
      size: 1,
    };
    const policy = await compiled(aSnapshot({ apps: counting }), "production");
    expect(asked).toEqual([]);
    const first = policy.entryOf("11111111aa", false);
    expect(first).toBeInstanceOf(CompiledEntry);
    expect(policy.entryOf("11111111AA", false)).toBe(first);
    expect(policy.entryOf("11111111-aaaa-4bbb-8ccc-000000000001", true)).toBe(first);
  });

  it("K1: an unchanged entry keeps its bytes over a revision, a changed one does not", async () => {
    const kept = anApp();
    const approved = anApp({ uuid: "2", versions: [anAppVersion({ shortUuid: "22222222aa" })] });
    const first = await renewed(aSnapshot({ apps: aCatalogue([kept, approved]) }), null);
    const before = ["11111111aa", "22222222aa"].map((id) => first.entryOf(id, false));
    const changed = { ...approved, allowUnknownRpcPassthrough: true };
    const second = await renewed(aSnapshot({ revision: 2, apps: aCatalogue([kept, changed]) }), first);
    expect(second.entryOf("11111111aa", false)).toBe(before[0]);
    const fresh = second.entryOf("22222222aa", false);
    expect(fresh).not.toBe(before[1]);
    expect(fresh).toHaveProperty("text", expect.stringContaining('"allow_unknown_rpc_passthrough":true'));
  });

  it("K1: tells of an entry when it is compiled and differs from the one before, not when it is asked for again", async () => {
    const told: string[] = [];
    const onEntry = ({ uuid }: SnapshotApp) => told.push(uuid);
    const compile = (snapshot: PolicySnapshot, earlier: CompiledPolicy | null) =>
      compilePolicy(snapshot, "production", policyOptions(), () => undefined, { earlier, onEntry });
    const app = anApp({ uuid: "a" });
    const first = await compile(aSnapshot({ apps: aCatalogue([app]) }), null);
    expect(told).toEqual([]);
    answerText(first, table);
    answerText(first, table);
    expect(told).toEqual(["a"]);
    const second = await compile(aSnapshot({ apps: aCatalogue([app]), revision: 2 }), first);
    answerText(second, table);
    expect(told).toEqual(["a"]);
    const groups = inBothViews(aGroup({ name: "Renamed", ...everyFlag }));
    answerText(await compile(aSnapshot({ apps: aCatalogue([app]), revision: 3, groups }), second), table);
    expect(told).toEqual(["a", "a"]);
  });

  it("K1: an id spelled as stored is one ready-made piece, any other spelling is put together", async () => {
    const policy = await compiled(aSnapshot({ apps: aCatalogue([anApp()]) }), "production");
    const entry = policy.entryOf("11111111aa", false);
    if (!(entry instanceof CompiledEntry)) throw new TypeError("the app is granted");
    expect(entry.named("11111111aa")?.bytes.toString()).toBe(`"11111111aa":${entry.text}},`);
    expect(entry.named("11111111aa")).toBe(entry.named("11111111aa"));
    expect(entry.open.bytes.toString()).toBe(entry.text);
    for (const other of ["11111111AA", "", "toString"]) expect(entry.named(other)).toBeNull();
  });

  it("K1, K4: an entry whose groups changed is not taken from the revision before", async () => {
    const apps = aCatalogue([anApp()]);
    const first = await renewed(aSnapshot({ apps }), null);
    first.entryOf("11111111aa", false);
    const groups = inBothViews(aGroup({ name: "Renamed", ...everyFlag }));
    const second = await renewed(aSnapshot({ revision: 2, apps, groups }), first);
    const { app_policies } = answeredTable(second, shortenedTable({ "11111111aa": {} }));
    expect(app_policies["11111111aa"].groups).toEqual(["Renamed"]);
  });
});

describe("K2, R6: nothing of a request is kept", () => {
  const secret = {
    "11111111aa": { enabled: true, auth_token: "secret-token" },
    unknown: { auth_token: "secret-token" },
  };
  const plain = { "11111111aa": {}, unknown: {} };

  it.each([true, false])("K2: asked with members, then without (long ids: %s)", async (long) => {
    const apps = aCatalogue([anApp({ uuid: "11111111aa" })]);
    const fresh = answerText(await compiled(aSnapshot({ apps }), "production"), shortenedTable(plain, long));
    const policy = await compiled(aSnapshot({ apps }), "production");
    expect(answerText(policy, shortenedTable(secret, long))).toContain("secret-token");
    expect(answerText(policy, shortenedTable(plain, long))).toBe(fresh);
    expect(fresh).not.toContain("secret-token");
  });

  it("K2: an entry first asked for with members holds none, over a revision too", async () => {
    const apps = aCatalogue([anApp()]);
    const first = await renewed(aSnapshot({ apps }), null);
    answerText(first, shortenedTable(secret));
    const second = await renewed(aSnapshot({ apps, revision: 2 }), first);
    expect(answerText(second, shortenedTable(plain))).not.toMatch(/secret-token|"enabled":/);
  });

  it("K2: the key of one request does not come back in another", async () => {
    const policy = await compiled(aSnapshot({ apps: aCatalogue([anApp()]) }), "production");
    expect(answerText(policy, shortenedTable({ "11111111AA": {} }))).toContain('"11111111AA":{');
    expect(answerText(policy, shortenedTable({ "11111111aa": {} }))).not.toContain("11111111AA");
  });
});

describe("K4: an answer is made from one revision", () => {
  it("K4: the policy in service answers the same before, during and after the next build", async () => {
    const first = await renewed(workedExample, null);
    const before = answerText(first, table);
    const groups = inBothViews(aGroup({ name: "Other", ...everyFlag }));
    const building = renewed({ ...workedExample, revision: 2, groups }, first);
    expect(answerText(first, table)).toBe(before);
    const second = await building;
    expect(answerText(first, table)).toBe(before);
    expect(answerText(second, table)).not.toContain('"Base"');
    expect(second.revision).toBe(2);
  });

  it("K4: parts taken before a new revision are sent as they were", async () => {
    const first = await renewed(workedExample, null);
    const expected = answerText(first, table);
    const parts = buildAnswer(first, readPolicyTable(table), requestId);
    const second = await renewed({ ...workedExample, revision: 2, groups: inBothViews(aGroup(everyFlag)) }, first);
    answerText(second, table);
    expect(gunzipSync(Buffer.concat(joinGzip(parts).buffers)).toString()).toBe(expected);
  });
});

describe("K4, N16: what similar policies have compressed is taken over", () => {
  const groups = Array.from({ length: 300 }, (_, at) =>
    aGroup({ id: at + 1, name: `Group ${at}`, ...everyFlag, rpcs: rpcsOf(`Rpc${at}`) }),
  );
  const compile = (some: typeof groups, similar: readonly CompiledPolicy[]) =>
    compilePolicy(aSnapshot({ groups: inBothViews(...some) }), "production", policyOptions(), () => undefined, {
      similar,
    });
  const openingsOf = (policy: CompiledPolicy) => [
    policy.opening(true),
    policy.opening(false),
    policy.opening(false, true),
  ];

  it("K4: whatever they contain, bytes and compressed bytes are those of the own revision", async () => {
    let similar: CompiledPolicy[] = [];
    for (const at of [0, 17, 150, 299]) {
      const edited = groups
        .with(at, aGroup({ ...groups[at], rpcs: rpcsOf("Show") }))
        .filter((_, place) => place !== 90);
      const policy = await compile(edited, similar);
      const alone = await compile(edited, []);
      openingsOf(policy).forEach((opening, edition) => {
        expect(opening.bytes.toString()).toBe(openingsOf(alone)[edition]?.bytes.toString());
        const inflated = inflateRawSync(opening.deflated, { finishFlush: constants.Z_SYNC_FLUSH });
        expect(inflated.toString()).toBe(opening.bytes.toString());
      });
      similar = [policy, ...similar];
    }
  });

  it("N16: a change of one group compresses its piece again, and no piece of an earlier revision is kept", async () => {
    const first = await compile(groups, []);
    const second = await compile(groups.with(150, aGroup({ ...groups[150], rpcs: rpcsOf("Show") })), [first]);
    expect(first.pieces.size).toBeGreaterThan(6);
    const added = [...second.pieces.keys()].filter((digest) => !first.pieces.has(digest));
    // Core before 5.0 gets the same groups here.
    expect(added).toHaveLength(1);
    expect(second.pieces.size).toBe(first.pieces.size);
    const own = new Set(openingsOf(second).map(({ bytes }) => bytes.buffer));
    expect([...second.pieces.values()].every(({ bytes }) => own.has(bytes.buffer))).toBe(true);
    for (const [digest, piece] of second.pieces)
      if (first.pieces.has(digest)) expect(first.pieces.get(digest)?.deflated).toBe(piece.deflated);
  });
});

it("K5: gives way to waiting requests while it compiles", async () => {
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await compiled(workedExample, "production");
  isDone = true;
  expect(turns).toBeGreaterThan(1);
});
