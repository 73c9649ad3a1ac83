import { describe, expect, it } from "vitest";
import { readVersions, readRequestBytes } from "@/lib/policy/answer/request-bytes";
import { halfSipHash, placeKeyOf, placeOf } from "@/lib/policy/rollout/place";
import { Sent, VehicleFacts } from "@/lib/policy/rollout/sent";
import { factsOf, sideAt } from "@/lib/policy/rollout/side";

const salt = "0123456789abcdef0123456789abcdef";
const all = { countries: [], software: [], hardware: [] };
const conditions = (percent: number, more: object = {}) => ({ salt, percent, isPaused: false, ...all, ...more });
const withVin = (vin: unknown, meta: object = {}) => ({ module_meta: { vin, ...meta }, device_data: {} });
const letters = "ABCDEFGHJKLMNPRSTUVWXYZ0123456789";
/** The same values in each run: at 50 percent, one of 20 fair draws of a million misses by more than 0.1 points. */
function seeded(seed: number) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
const random = seeded(7);
type Rollout = Parameters<typeof sideAt>[0] & Parameters<typeof placeKeyOf>[0];
function sideOfTable(rollout: Rollout, table: unknown, holds: boolean | null) {
  const facts = factsOf(table);
  const id = facts.vin ?? facts.device;
  return sideAt(rollout, facts, id === null ? null : placeOf(placeKeyOf(rollout), id), holds);
}
const randomVin = () =>
  `WVWZZZ${Array.from({ length: 11 }, () => letters[Math.floor(random() * letters.length)]).join("")}`;

it("S12: of 1,000,000 random VINs the share is that of the step, grows, and does not depend on an earlier salt", () => {
  const count = 1_000_000;
  const [own, other] = [placeKeyOf({ salt }), placeKeyOf({ salt: salt.split("").reverse().join("") })];
  const inside = { 1: 0, 10: 0, 50: 0 };
  let [both, moved] = [0, 0];
  for (let at = 0; at < count; at++) {
    const vin = randomVin();
    const [place, before] = [placeOf(own, Sent.of(vin)) * 100, placeOf(other, Sent.of(vin)) * 100];
    const isIn = ([1, 10, 50] as const).map((percent) => place < percent);
    if (isIn[0]) inside[1]++;
    if (isIn[1]) inside[10]++;
    if (isIn[2]) inside[50]++;
    if ((isIn[0] && !isIn[1]) || (isIn[1] && !isIn[2])) moved++;
    if (isIn[1] && before < 10) both++;
  }
  for (const percent of [1, 10, 50] as const) {
    expect(Math.abs((inside[percent] / count) * 100 - percent)).toBeLessThan(0.1);
  }
  expect(moved).toBe(0);
  // A tenth of a tenth, whatever the other salt said.
  expect(Math.abs((both / count) * 100 - 1)).toBeLessThan(0.1);
});

it("S12: places are those of the reference implementation of HalfSipHash-2-4", () => {
  const bytes = Buffer.from(Array.from({ length: 63 }, (_, at) => at));
  const digests = [0, 1, 2, 3, 4, 7, 62, 63].map((length) =>
    halfSipHash({ k0: 0x03020100, k1: 0x07060504 }, bytes, 0, length),
  );
  expect(digests.map((digest) => digest.toString(16).padStart(8, "0"))).toEqual(
    // Of its `vectors_hsip32`: the key is the bytes 0 to 7, the text as many bytes from 0 on.
    ["5b9f35a9", "b85a4727", "03a662fa", "04e7fe8a", "89466e2a", "c563cf8b", "7a9983bd", "744aea59"],
  );
  const sent = new Sent(bytes, 0, 4);
  expect(placeOf(placeKeyOf({ salt: "0001020304050607ffffffffffffffff" }), sent)).toBe(0x89466e2a / 2 ** 32);
});

it("S12: consecutive VINs and device ids are spread as evenly", () => {
  for (const idOf of [
    (at: number) => `WVWZZZ1JZXW${100_000 + at}`,
    (at: number) => at.toString(16).padStart(64, "0"),
  ]) {
    const ids = Array.from({ length: 200_000 }, (_, at) => idOf(at));
    const share = ids.filter((id) => placeOf(placeKeyOf({ salt }), Sent.of(id)) < 0.1).length / ids.length;
    expect(Math.abs(share - 0.1)).toBeLessThan(0.004);
  }
});

/** As the table of a form, and as that of JSON. */
const waysOfSending = {
  form: factsOf,
  json: (table: unknown, isRestricted = true) => factsOfJson(JSON.stringify({ policy_table: table }), isRestricted),
};

function factsOfJson(body: string, isRestricted = true) {
  const facts = new VehicleFacts();
  const bytes = Buffer.from(body);
  readRequestBytes(bytes, 64, facts, isRestricted);
  readVersions(bytes, facts);
  return facts;
}

describe.each(Object.entries(waysOfSending))("S12: what tells a vehicle from others, sent as %s", (_, sent) => {
  it.each<[string, object, string | null, string | null]>([
    ["the VIN", { module_meta: { vin: "V1" }, device_data: { d: {} } }, "V1", "d"],
    ["without one, the least device id", { module_meta: { vin: "" }, device_data: { d2: {}, d1: {} } }, null, "d1"],
    ["the shorter of two that begin alike", { device_data: { d22: {}, d2: {}, d: { a: {} }, d222: [1] } }, null, "d"],
    ["a device id that is a text in JSON", { device_data: { 'ü"\\': {} } }, null, 'ü"\\'],
    ["no device id that is empty or too long", { device_data: { "": {}, ["a".repeat(256)]: {}, d: null } }, null, "d"],
    ["a VIN that is no text", { module_meta: { vin: 5 }, device_data: { d: {} } }, null, "d"],
    ["a VIN that is too long", { module_meta: { vin: "V".repeat(256) }, device_data: { d: {} } }, null, "d"],
    ["no module_meta", { device_data: { d: {} } }, null, "d"],
    ["module_meta that is a list", { module_meta: ["V"], device_data: {} }, null, null],
    ["devices that are a text", { device_data: "d" }, null, null],
    ["neither", { module_meta: {}, device_data: {} }, null, null],
    ["names of the prototype", { module_meta: Object.create({ vin: "V" }), device_data: [] }, null, null],
  ])("%s", (__, table, vin, device) => {
    const facts = sent(table);
    expect([facts.vin?.text ?? null, facts.device?.text ?? null]).toEqual([vin, device]);
  });

  it.each([undefined, null, 5, "text", []])("nothing is read from %j", (table) =>
    expect(sent(table)).toEqual(new VehicleFacts()),
  );

  it("restrictions are compared with what was sent", () => {
    const meta = { ccpu_version: 'a"b', wers_country_code: "\\", hardware_version: "é" };
    const { software, country, hardware } = sent({ module_meta: meta });
    expect([software?.text, country?.text, hardware?.text]).toEqual(['a"b', "\\", "é"]);
  });
});

it("S12: a request's groups are what it sent, and only of JSON", () => {
  const table = {
    functional_groupings: { 'A "group"': { rpcs: {} } },
    consumer_friendly_messages: { version: "1.2.3" },
    vehicle_data: { schema_version: "4.5" },
  };
  const facts = waysOfSending.json(table);
  expect([facts.groups?.copy().toString(), facts.messagesVersion?.text, facts.schemaVersion?.text]).toEqual([
    ...[JSON.stringify(table.functional_groupings), "1.2.3", "4.5"],
  ]);
  expect(factsOf(table).groups).toBeNull();
});

it("S12: of a member that is sent twice, only the last one counts", () => {
  const [meta, devices] = ['"module_meta":{"vin":"V","ccpu_version":"1"}', '"device_data":{"d":{}}'];
  const none = new VehicleFacts();
  expect(factsOfJson(`{"policy_table":{${meta},${devices}},"policy_table":{}}`)).toEqual(none);
  expect(factsOfJson(`{"policy_table":{${meta},${devices}},"policy_table":null}`)).toEqual(none);
  expect(factsOfJson(`{"policy_table":{${meta},"module_meta":5,${devices},"device_data":5}}`)).toEqual(none);
  expect(factsOfJson('{"policy_table":{"module_meta":{"vin":"V","vin":5}}}')).toEqual(none);
  expect(factsOfJson('{"policy_table":{"module_meta":{"vin":5,"vin":"V"}}}').vin?.text).toBe("V");
});

it("S12: a member whose name has a backslash counts as absent", () => {
  expect(factsOfJson('{"policy_table":{"module_meta":{"v\\u0069n":"V","hardware_version":"1"}}}')).toMatchObject({
    vin: null,
    hardware: { length: 1 },
  });
});

it("S12: what only restrictions depend on is not read without them", () => {
  const meta = { vin: "V", ccpu_version: "1", wers_country_code: "2", hardware_version: "3" };
  const { vin, software, country, hardware } = waysOfSending.json({ module_meta: meta }, false);
  expect([vin?.text, software, country, hardware]).toEqual(["V", null, null, null]);
});

describe("S11, S12, S13: the side", () => {
  const early =
    Array.from({ length: 1_000 }, (_, at) => `V${at}`).find(
      (vin) => placeOf(placeKeyOf({ salt }), Sent.of(vin)) < 0.01,
    ) ?? "";
  const late =
    Array.from({ length: 1_000 }, (_, at) => `V${at}`).find(
      (vin) => placeOf(placeKeyOf({ salt }), Sent.of(vin)) > 0.99,
    ) ?? "";
  const german = { wers_country_code: "WAEGB", ccpu_version: "7.1", hardware_version: "A2" };

  it.each<[string, ReturnType<typeof conditions>, object, boolean | null, string]>([
    ["below the percentage", conditions(1), withVin(early), null, "in"],
    ["above it", conditions(99), withVin(late), null, "out"],
    ["at 0", conditions(0), withVin(early), null, "out"],
    ["at 100", conditions(100), withVin(late), null, "in"],
    ["not to be told from others", conditions(99), withVin(""), null, "out"],
    ["not to be told from others at 100", conditions(100), withVin(""), null, "in"],
    ["of a named country", conditions(100, { countries: ["X", "WAEGB"] }), withVin(late, german), null, "in"],
    ["of another country", conditions(100, { countries: ["X"] }), withVin(early, german), null, "out"],
    ["of no country", conditions(100, { countries: ["X"] }), withVin(early), null, "out"],
    ["of named software, above", conditions(50, { software: ["7.1"] }), withVin(late, german), null, "out"],
    [
      "of named software, other hardware",
      conditions(50, { software: ["7.1"], hardware: ["B"] }),
      withVin(early, german),
      null,
      "out",
    ],
    ["that has the release", conditions(1), withVin(late), true, "in"],
    ["that has the release, of another country", conditions(100, { countries: ["X"] }), withVin(late), true, "out"],
    ["that does not have it", conditions(1), withVin(early), false, "in"],
    ["that does not have it, paused", conditions(1, { isPaused: true }), withVin(early), false, "out"],
    ["of which that is unknown, paused", conditions(1, { isPaused: true }), withVin(early), null, "in"],
    ["that has it, paused", conditions(1, { isPaused: true }), withVin(late), true, "in"],
  ])("of a vehicle %s", (_, rollout, table, holds, side) => expect(sideOfTable(rollout, table, holds)).toBe(side));
});
