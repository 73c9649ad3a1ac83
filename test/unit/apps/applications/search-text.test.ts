import { expect, it } from "vitest";
import { derivedMembers } from "@/models/application";

const app = { uuid: "AAAA-1", shortUuid: "AAAA1", name: "Roadtune" };
const linesOf = (values: object) => derivedMembers({ ...app, ...values }).searchText.split("\n");

it("2.2: a search looks at names, vendor, e-mails, ids, service types and keys of permissions, in lower case", () => {
  const lines = linesOf({
    displayNames: ["Roadtune", "Strassenklang"],
    vendorName: "Longwave",
    vendorEmail: "a@Longwave.example",
    techEmail: "b@longwave.example",
    services: [{ name: "MEDIA", displayName: "Media player" }],
    permissions: [{ key: "Show" }, { key: "gps" }],
  });
  expect(lines).toEqual([
    ...["roadtune", "aaaa-1", "aaaa1", "longwave", "a@longwave.example", "b@longwave.example"],
    ...["strassenklang", "media", "media player", "show", "gps"],
  ]);
});

it("is bounded, whatever a directory sends, and keeps what names the app", () => {
  const permissions = Array.from({ length: 10_000 }, (_, at) => ({ key: `permission-${at}` }));
  const lines = linesOf({ vendorName: "Longwave", permissions });
  expect(lines.join("\n").length).toBeLessThanOrEqual(8192);
  expect(lines.slice(0, 5)).toEqual(["roadtune", "aaaa-1", "aaaa1", "longwave", "permission-0"]);
  expect(linesOf({ name: "n".repeat(20_000) })).toEqual(["aaaa-1", "aaaa1"]);
});
