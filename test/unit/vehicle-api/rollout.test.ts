import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { answerVehicle } from "@/lib/policy/answer/answer-vehicle";
import { placeKeyOf, placeOf } from "@/lib/policy/rollout/place";
import { Sent } from "@/lib/policy/rollout/sent";
import type { ServedRollout } from "@/lib/policy/rollout/side";
import type { CompiledPolicy } from "@/lib/policy/table/compiled-policy";
import { RolloutRepeats } from "@/lib/vehicle-api/rollout-repeats";
import { compiled, shortenedTable } from "@/test/support/answers";
import { aBaseGroup, aSnapshot, inBothViews } from "@/test/support/builders";
import { jsonOf, route, send, startVehicleWorker } from "@/test/support/worker-server";

let [production, before]: CompiledPolicy[] = [];
beforeAll(async () => {
  production = await compiled(aSnapshot({ groups: inBothViews(aBaseGroup({ name: "New" })) }), "production");
  before = await compiled(aSnapshot({ groups: inBothViews(aBaseGroup({ name: "Old" })) }), "production");
});

const facts = {
  ...{ number: 1, salt: "00112233445566778899aabbccddeeff", isPaused: false, release: 2, before: 1 },
  ...{ countries: ["DE"], software: [], hardware: [] },
  records: { groups: [], messages: [], moduleConfigs: [], vehicleData: [] },
};
function alive(percent: number): ServedRollout {
  if (before === undefined) throw new Error("compiled first");
  return { rollout: { ...facts, percent }, before, placeKey: placeKeyOf(facts) };
}
const vins = Array.from({ length: 200 }, (_, at) => `WVWZZZ1JZXW${100_000 + at}`);
const [early = "", late = ""] = [0, 1].map((side) =>
  vins.find((vin) => placeOf(placeKeyOf(facts), Sent.of(vin)) < 0.5 === (side === 0)),
);
const table = (vin: unknown, country = "DE", devices: object = {}) => ({
  ...shortenedTable({}),
  device_data: devices,
  module_meta: { vin, wers_country_code: country },
});
const nameOf = (body: Buffer) =>
  Object.keys(JSON.parse(body.toString()).data[0].policy_table.functional_groupings).join();
const json = (policyTable: unknown) => JSON.stringify({ policy_table: policyTable });

async function ask(policyTable: unknown, { percent = 50, path = route, body = json(policyTable) } = {}) {
  const served = percent === 0 ? null : alive(percent);
  const options = { policy: () => production ?? null, rollout: () => served };
  const { url } = await startVehicleWorker(options);
  const plain = await send(url + path, { body });
  const gzip = await send(url + path, { body, headers: { "accept-encoding": "gzip" } });
  expect([plain.status, gzip.status]).toEqual([200, 200]);
  const names = [nameOf(plain.body), nameOf(gunzipSync(gzip.body))];
  expect(new Set(names).size).toBe(1);
  return names[0];
}

describe("S12: the worker answers by side, plain and compressed", () => {
  it("S12: by the VIN", async () => {
    expect(await ask(table(early))).toBe("New");
    expect(await ask(table(late))).toBe("Old");
  });

  it("S11: a car of another country stays outside", async () => expect(await ask(table(early, "FR"))).toBe("Old"));

  it("S12: without a VIN by the least device id, and without either outside", async () => {
    expect(await ask(table("", "DE", { zz: {}, [early]: {} }))).toBe("New");
    expect(await ask(table("", "DE", { zz: {}, [late]: {} }))).toBe("Old");
    expect(await ask(table(undefined))).toBe("Old");
  });

  it("S12: without a rollout all get production, and staging never has sides", async () => {
    expect(await ask(table(late), { percent: 0 })).toBe("New");
    expect(await ask(table(late), { path: "/api/v1/staging/policy" })).toBe("New");
  });

  it("S12: a request that was only scanned for ids, and one that is encrypted, get what they had", async () => {
    const body = json({ ...table(early), app_policies: { app1: {} } }).replace(
      '"app_policies"',
      '"broken":"a"b","app_policies"',
    );
    expect(await ask(null, { body })).toBe("Old");
    if (production === undefined) throw new Error("compiled first");
    const hooks = { decryptPolicyTable: () => Promise.resolve(table(early)) };
    const asked = { environment: "production", body: Buffer.from('{"policy_table":"x"}'), acceptsGzip: false } as const;
    const answer = await answerVehicle({ ...asked, policy: production, hooks, rollout: alive(100) });
    expect(nameOf(Buffer.concat(answer.buffers))).toBe("Old");
  });

  it("S12: refusals are those of a request without a rollout", async () => {
    const policy = production ?? null;
    const served = alive(50);
    const { url } = await startVehicleWorker({ policy: () => policy, rollout: () => served });
    const { url: plain } = await startVehicleWorker({ policy: () => policy });
    for (const member of Object.keys(shortenedTable({}))) {
      for (const value of [undefined, null, 5, "text", [], "{}"]) {
        const body = json({ ...table(early), [member]: value });
        const [one, other] = [jsonOf(await send(url + route, { body })), jsonOf(await send(plain + route, { body }))];
        expect([one.error, one.meta.code]).toEqual([other.error, other.meta.code]);
        expect(one.meta.code).toBe(400);
      }
    }
    for (const meta of [null, 5, "text", [], { vin: {} }, { vin: [1], wers_country_code: {} }]) {
      const body = json({ ...shortenedTable({}), module_meta: meta });
      expect(jsonOf(await send(url + route, { body })).meta.code).toBe(200);
    }
  });
});

describe("S12: a car keeps the release that it has", () => {
  const holding = async (policyTable: object, holds: boolean | null, isPaused = false) => {
    if (production === undefined) throw new Error("compiled first");
    const served = alive(50);
    const rollout = { ...served, rollout: { ...served.rollout, isPaused } };
    const asked = { environment: "production", body: Buffer.from(json(policyTable)), acceptsGzip: false } as const;
    const holdsRelease = () => holds;
    const answer = await answerVehicle({ ...asked, policy: production, hooks: {}, rollout, holdsRelease });
    expect(nameOf(Buffer.concat(answer.buffers))).toBe(answer.side === "in" ? "New" : "Old");
    return answer.side;
  };
  it.each([
    ["without a VIN", table(undefined), true, false, "in"],
    ["whose devices changed", table("", "DE", { [late]: {} }), true, false, "in"],
    ["that does not have it, by its place", table("", "DE", { [late]: {} }), false, false, "out"],
    ["of which that is unknown, by its place", table("", "DE", { [early]: {} }), null, false, "in"],
    ["with a VIN, by its place alone", table(late), true, false, "out"],
    ["that does not have it yet while it is paused", table(early), false, true, "out"],
    ["that has it while it is paused", table(early), true, true, "in"],
  ] as const)("S12: %s", async (_, sent, holds, isPaused, side) =>
    expect(await holding(sent, holds, isPaused)).toBe(side),
  );
});

describe("S13: requests that a car repeats within a minute", () => {
  const note = (repeats: RolloutRepeats, place: number | null, text: string | null, now: number) =>
    repeats.note({ place, groups: text === null ? null : Sent.of(text) }, now);
  const notes = (repeats: RolloutRepeats, ...all: readonly (readonly [number | null, string | null, number])[]) =>
    all.map((one) => note(repeats, ...one));

  it("S13: are those with the same groups", () =>
    expect(
      notes(
        new RolloutRepeats(),
        ...([
          [0.1, "{a}", 0],
          [0.1, "{a}", 10_000],
          [0.9, "{a}", 11_000],
          [0.9, "{a}", 12_000],
        ] as const),
      ),
    ).toEqual([false, true, false, true]));

  it("S13: not those with other groups, after a minute, or without a car", () => {
    const repeats = new RolloutRepeats();
    const all = notes(
      repeats,
      ...([
        [0.1, "{a}", 0],
        [0.1, "{b}", 1_000],
        [0.1, "{b}", 62_000],
        [0.1 + 2 ** -30, "{b}", 62_100],
        [null, "{b}", 62_000],
        [0.2, null, 62_000],
      ] as const),
    );
    expect(all).toEqual(all.map(() => false));
  });

  it("S13: are known of a limited number of cars, and for two minutes at most", () => {
    const repeats = new RolloutRepeats();
    for (let at = 0; at < 100_000; at++) note(repeats, at / 100_000, "{}", 0);
    expect(repeats.size).toBe(16_384);
    // A later one has taken its place.
    expect(note(repeats, 0, "{}", 59_000)).toBe(false);
    note(repeats, null, null, 60_000);
    expect(repeats.size).toBe(1);
    note(repeats, null, null, 120_000);
    expect(repeats.size).toBe(0);
    expect(note(repeats, 0, "{}", 120_000)).toBe(false);
    repeats.clear();
    expect(note(repeats, 0, "{}", 120_000)).toBe(false);
  });

  it("S13: are counted by the worker only while a rollout is alive", async () => {
    let served: ServedRollout | null = alive(50);
    const sides: string[] = [];
    const noteRepeat = (side: string) => void sides.push(side);
    const { url } = await startVehicleWorker({ policy: () => production ?? null, rollout: () => served, noteRepeat });
    const twice = async () => {
      for (const vin of [early, early, late]) await send(url + route, { body: json(table(vin)) });
    };
    await twice();
    expect(sides).toEqual(["in"]);
    served = null;
    await twice();
    served = alive(50);
    await twice();
    expect(sides).toEqual(["in", "in"]);
  });
});
