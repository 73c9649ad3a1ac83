import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { grantFlags } from "@/lib/labels/group-flags";
import { snakeName } from "@/lib/labels/members";

const sources = ["app", "lib", "models", "server"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => ({ file: `${folder}/${file}`, text: readFileSync(`${folder}/${file}`, "utf8") })),
);

/** Files that name a flag, in the code's way of writing or in that of the API. */
const placesOf = (flag: string) => {
  const name = new RegExp(`\\b(${flag}|${snakeName(flag)})\\b`);
  return sources.filter(({ text }) => name.test(text)).map(({ file }) => file);
};

/** Of a name that means other things as well nothing can be told. */
const flags = grantFlags.filter((flag) => flag !== "isDefault");

it.each(flags)("declares %s once, and names it besides only where it decides something", (flag) => {
  const places = placesOf(flag);
  expect(places).toContain("lib/labels/group-flags.ts");
  expect(places.length, places.join(", ")).toBeLessThanOrEqual(6);
});
