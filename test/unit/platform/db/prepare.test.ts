import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { allModels } from "@/lib/platform/db/prepare";

it("knows every model: any other would have no indexes and be in no backup", () => {
  const files = readdirSync("models", { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  const defining = files.filter((name) =>
    /^export const \w+Model\b/m.test(readFileSync(path.join("models", name), "utf8")),
  );
  expect(defining.length).toBeGreaterThan(20);
  const imported = [...readFileSync("lib/platform/db/prepare.ts", "utf8").matchAll(/"@\/models\/([^"]+)"/g)];
  expect(imported.map(([, name]) => `${name}.ts`).sort()).toEqual(defining.sort());
  expect(allModels().length).toBeGreaterThanOrEqual(defining.length);
});
