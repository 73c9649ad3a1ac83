import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
// By its own path: tests that need a worker get bundles of theirs in its place.
import { workerFile } from "../../../../lib/platform/process/worker-file";
import { temporaryFolder } from "@/test/support/temporary-folder";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  vi.spyOn(process, "cwd").mockReturnValue(folder);
});
afterEach(() => {
  vi.restoreAllMocks();
});

it("is what the build made, however old it looks beside the sources", () => {
  mkdirSync(path.join(folder, "dist"));
  const file = path.join(folder, "dist/certificate-worker.js");
  writeFileSync(file, "");
  mkdirSync(path.join(folder, "lib/certificates/worker"), { recursive: true });
  writeFileSync(path.join(folder, "lib/certificates/worker/worker.ts"), "newer");
  expect(workerFile("certificate-worker")).toBe(file);
});

it("names what is missing without a build", () =>
  expect(() => workerFile("rpc-specification-worker")).toThrow(
    "dist/rpc-specification-worker.js is missing: run npm run build",
  ));
