import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rank, scoreText, scoreTexts } from "@/app/_search/rank";

const order = (names: readonly string[], wanted: string) => rank(names, wanted, (name) => [name]);

describe("how well a text matches (1.2)", () => {
  it("puts the whole text before its beginning, the beginning of a word and the middle of one", () => {
    const names = ["overspeed", "Vehicle-Speed", "speedLimit", "speed", "gps"];
    expect(order(names, "speed")).toEqual(["speed", "speedLimit", "Vehicle-Speed", "overspeed"]);
    expect(names.map((name) => scoreText(name, "speed"))).toEqual([3, 2, 1, 0, null]);
  });

  it.each([
    ["GetVehicleData", "vehicle", true],
    ["GetVehicleData", "data", true],
    ["GetVehicleData", "ehicle", false],
    ["GPSSpeed", "speed", true],
    ["GPSSpeed", "sspeed", false],
    ["Base-4", "4", true],
    ["tire_pressure", "pressure", true],
    ["a.b c", "c", true],
    ["seat2Heat", "2", true],
    ["seat22", "2", true],
    ["überÄrger", "ärger", true],
    ["overspeed mySpeed", "speed", true],
  ])("%s: a word begins with %s: %s", (text, wanted, isStart) => expect(scoreText(text, wanted)).toBe(isStart ? 2 : 3));

  it("takes upper and lower case for the same, in text and search", () =>
    expect(order(["SPEED", "Speedy"], "sPeEd")).toEqual(["SPEED", "Speedy"]));

  it("counts any match in the first text more than the best in the next", () => {
    expect(scoreTexts(["overspeed", "speed"], "speed")).toBeLessThan(scoreTexts(["Base-4", "speed"], "speed"));
    expect(scoreTexts([null, "x"], "speed")).toBe(Infinity);
  });
});

describe("ranking", () => {
  it("leaves out what does not match, or keeps it behind the others in its order", () => {
    const names = ["zeta", "beta", "speed", "alpha"];
    expect(order(names, "speed")).toEqual(["speed"]);
    expect(rank(names, "speed", (name) => [name], { keepsRest: true })).toEqual(["speed", "zeta", "beta", "alpha"]);
  });

  it("is stable: equals keep their order", () => {
    const items = ["c", "a", "b"].map((id) => ({ id, name: "Same" }));
    expect(rank(items, "same", ({ name }) => [name]).map(({ id }) => id)).toEqual(["c", "a", "b"]);
    expect(order(["Base-10", "Base-2", "Base-1"], "base")).toEqual(["Base-2", "Base-1", "Base-10"]);
  });

  it("finds exactly what holds the text, whatever the text", () =>
    fc.assert(
      fc.property(fc.array(fc.string()), fc.string({ minLength: 1 }), (names, search) => {
        const wanted = search.toLowerCase();
        const holding = names.filter((name) => name.toLowerCase().includes(wanted));
        expect(order(names, search).toSorted()).toEqual(holding.toSorted());
      }),
    ));
});
