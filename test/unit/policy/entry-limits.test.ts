import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutText, limitEntryTexts } from "@/lib/policy/head-unit/entry-limits";

const plain = {
  displayNames: ["A", "B"],
  iconUrl: "https://cdn.example.com/a.png",
  cloudEndpoint: null,
  cloudTransportType: "WS",
  caCertificate: null,
  categories: [{ id: 1, name: "MEDIA" }],
  services: [{ name: "MEDIA", serviceNames: ["One"], selectedPermissions: ["Show"] }],
};
const limit = (members: Partial<typeof plain> | Record<string, unknown>) => limitEntryTexts({ ...plain, ...members });
const many = (count: number, word = "n") => Array.from({ length: count }, (_, index) => `${word}${index}`);
const bytes = (text: string) => Buffer.byteLength(text);

describe("texts and lists of an entry (rule A30)", () => {
  it("is the same version when nothing is too long", () => {
    const { texts, cuts } = limitEntryTexts(plain);
    expect([texts, cuts]).toEqual([plain, []]);
    expect(texts).toBe(plain);
  });

  it("finding A1: names are cut by bytes, between characters", () => {
    const { texts, cuts } = limit({ displayNames: ["日".repeat(100), "x".repeat(254) + "😀"] });
    expect(texts.displayNames).toEqual(["日".repeat(85), "x".repeat(254)]);
    expect(cuts).toEqual([{ field: "display_names", what: "2 names cut to 255 bytes of whole characters" }]);
  });

  it("finding A1: names that are equal once cut are one, empty ones none", () =>
    expect(limit({ displayNames: ["", "ü".repeat(150), "ü".repeat(160)] }).texts.displayNames).toEqual([
      "ü".repeat(127),
    ]));

  it.each([
    ["display_names", { displayNames: many(300) }],
    ["categories", { categories: many(300).map((name, id) => ({ id, name })) }],
    ["services", { services: many(300).map((name) => ({ name, serviceNames: [], selectedPermissions: [] })) }],
    ["services.M.service_names", { services: [{ name: "M", serviceNames: many(300), selectedPermissions: [] }] }],
    ["services.M.permissions", { services: [{ name: "M", serviceNames: [], selectedPermissions: many(300) }] }],
  ])("finding A1: 255 of 300 elements of %s are kept, and it is said", (field, members) => {
    expect(limit(members).cuts).toEqual([{ field, what: "255 of 300 elements kept" }]);
  });

  it.each([
    ["icon_url", "iconUrl", 65_535],
    ["ca_certificate", "caCertificate", 65_535],
    ["cloud_endpoint", "cloudEndpoint", 255],
    ["cloud_transport_type", "cloudTransportType", 255],
  ] as const)("finding A1: %s is left out when it is too long or holds half a character", (field, member, max) => {
    expect(limit({ [member]: "x".repeat(max) }).cuts).toEqual([]);
    for (const text of ["x".repeat(max + 1), "ü".repeat((max + 1) / 2), "a\ud800b"]) {
      const { texts, cuts } = limit({ [member]: text });
      expect(texts[member]).toBeNull();
      expect(cuts.map((cut) => cut.field)).toEqual([field]);
    }
  });

  it("finding A1: a category with a name that is too long is left out", () => {
    const { texts, cuts } = limit({ categories: [...plain.categories, { id: 2, name: "x".repeat(256) }] });
    expect(texts.categories).toEqual(plain.categories);
    expect(cuts).toEqual([{ field: "categories", what: "1 category left out: name longer than a head unit takes" }]);
  });

  it("finding A1: half characters in names become the sign for an unknown one", () => {
    const services = [{ name: "M", serviceNames: ["a\udc00"], selectedPermissions: [] }];
    const { texts, cuts } = limit({ displayNames: ["\ud83d"], services });
    expect([texts.displayNames, texts.services[0]?.serviceNames]).toEqual([["\ufffd"], ["a\ufffd"]]);
    expect(cuts.map((cut) => cut.field)).toEqual(["display_names", "services.M.service_names"]);
  });
});

it("cutText: gives the longest beginning of whole characters without NULs (C10), for any text and length", () =>
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 60 }), fc.nat(80), (text, max) => {
      const cut = cutText(text, max);
      const whole = text.toWellFormed().replaceAll("\0", "?");
      const next = Array.from(whole.slice(cut.length))[0] ?? "";
      expect(whole.startsWith(cut) && cut.isWellFormed() && bytes(cut) <= max).toBe(true);
      expect(next === "" || bytes(cut) + bytes(next) > max).toBe(true);
    }),
  ));
