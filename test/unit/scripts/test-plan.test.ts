import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import packageFile from "@/package.json";
import {
  dailyFiles,
  failuresOf,
  planOf,
  readArguments,
  readReport,
  thoroughFiles,
  timeTable,
} from "@/scripts/test-plan.mjs";
import { embedded, excuses, slow } from "@/test/support/second-engine-excuses";

describe("what an extent of the tests runs", () => {
  it("all: every folder that holds tests", () => {
    const folders = readdirSync("test", { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const withTests = folders.filter(({ name }) =>
      readdirSync(path.join("test", name), { recursive: true, encoding: "utf8" }).some((file) =>
        /\.test\.tsx?$/.test(file),
      ),
    );
    expect(planOf("all").groups.flat().toSorted()).toEqual(withTests.map(({ name }) => name).toSorted());
  });

  it("faults of the server in CI, with what rarely breaks and takes long; all of the browser once a day, and nothing that needs a build for a check", () => {
    const projectsOf = (extent: string) => planOf(extent).groups.flat();
    expect(["faults", "browser", "walk"].map((name) => projectsOf("").includes(name))).toEqual([false, false, true]);
    expect(["faults", "browser", "walk"].map((name) => projectsOf("ci").includes(name))).toEqual([true, false, true]);
    expect(["", "ci", "all"].map((extent) => planOf(extent).env.TEST_THOROUGH)).toEqual(["0", undefined, undefined]);
    expect(["", "ci", "all"].map((extent) => planOf(extent).env.TEST_DAILY)).toEqual(["0", "0", undefined]);
    expect([...dailyFiles, ...thoroughFiles].filter((begin) => !existsSync(`${begin}.test.ts`))).toEqual([]);
    expect(planOf("check")).toMatchObject({ groups: [], steps: expect.not.arrayContaining(["build:once"]) });
    expect(() => planOf("everything")).toThrow("everything is no extent");
  });

  it("the same values in every run but the daily one, which repeats everything", () => {
    const extents = ["", "ci", "all"].map((extent) => planOf(extent));
    expect(extents.map(({ isRandom = false, env }) => [isRandom, env.TEST_SHARE])).toEqual([
      [false, undefined],
      [false, undefined],
      [true, "1"],
    ]);
  });

  it("what is left out is said, with the command that runs it", () => {
    expect(planOf("all").notRun).toBeUndefined();
    for (const extent of ["", "ci"]) {
      for (const sentence of planOf(extent).notRun ?? []) expect(sentence).toMatch(/: npm (test -- ci|run [\w:]+)$/);
    }
    expect(planOf("").notRun?.join()).toMatch(/faults.*browser/);
  });

  it("a part of everything", () => {
    expect(readArguments(["all", "--part", "2/4"])).toEqual({ extent: "all", part: "2/4" });
    expect(readArguments([])).toEqual({ extent: "", part: null });
    for (const part of ["5/4", "0/4", "2", "x/y"])
      expect(() => readArguments(["all", "--part", part])).toThrow("--part takes k/n");
    expect(() => readArguments(["all", "twice"])).toThrow("unknown argument twice");
  });

  it("the second engine where it is asked for: files that are there, of the API and of the server", () => {
    const filesOf = (extent: string) => planOf(extent).onSecondEngine ?? [];
    expect([filesOf(""), filesOf("check")]).toEqual([[], []]);
    expect(filesOf("all")).toEqual(expect.arrayContaining(["test/api/", "test/server/"]));
    expect(filesOf("engine")).toEqual(filesOf("ci"));
    expect([...filesOf("ci"), ...filesOf("all")].filter((file) => !existsSync(file))).toEqual([]);
    expect(filesOf("ci").some((file) => file.startsWith("test/server/"))).toBe(true);
  });

  it("excuses tests from the second engine by names that are there, for a reason that its page tells", () => {
    const page = readFileSync("docs/second-engine.md", "utf8");
    const reproductions = readFileSync("test/api/db/second-engine.test.ts", "utf8");
    for (const { file, tests = [], because } of excuses) {
      const text = readFileSync(file, "utf8");
      // Names that begin with a request, or quote a value, are made from it.
      const written = tests.flatMap((name) => name.split(" > ").findLast((part) => !/^\{|'/.test(part)) ?? []);
      for (const name of written) expect(text, file).toContain(name);
      if (because === embedded || because === slow) continue;
      expect(because).toMatch(/^E\d+$/);
      expect(page).toMatch(new RegExp(`^\\| ${because} `, "m"));
      expect(reproductions).toContain(`"${because}: `);
    }
  });

  it.each(["check", "", "ci", "engine", "all"])("%j: every step is a script of package.json", (extent) => {
    for (const name of planOf(extent).steps) expect(Object.keys(packageFile.scripts)).toContain(name);
  });
});

describe("what is read from a report", () => {
  const file = (name: string, startTime: number, endTime: number, ...statuses: string[]) => ({
    ...{ name, startTime, endTime },
    assertionResults: statuses.map((status) => ({ status })),
  });

  it("counts and times by project", () => {
    const testResults = [
      file("/here/test/api/a.test.ts", 20, 30, "passed", "failed"),
      file("/here/test/api/db/b.test.ts", 10, 25, "passed", "pending"),
      file("/here/test/unit/c.test.ts", 5, 7, "skipped", "todo"),
    ];
    expect(Object.fromEntries(readReport({ testResults }, "/here"))).toEqual({
      api: { passed: 2, failed: 1, skipped: 1, from: 10, to: 30 },
      unit: { passed: 0, failed: 0, skipped: 2, from: 5, to: 7 },
    });
  });

  it("failed tests by file and whole name with the beginning of what they say, and files that cannot be loaded", () => {
    const passed = { status: "passed", fullName: "reads all", failureMessages: [] };
    const failed = {
      status: "failed",
      fullName: "lists > stops",
      failureMessages: ["Error: 1 is not 2\n    at a.ts:1"],
    };
    const testResults = [
      { name: "/here/test/api/a.test.ts", status: "failed", message: "", assertionResults: [passed, failed] },
      { name: "/here/test/ui/b.test.ts", status: "passed", message: "", assertionResults: [passed] },
      { name: "/here/test/ui/c.test.ts", status: "failed", message: "Cannot find module", assertionResults: [] },
    ];
    expect(failuresOf({ testResults }, "/here")).toEqual([
      "test/api/a.test.ts > lists > stops\n    Error: 1 is not 2\n        at a.ts:1",
      "test/ui/c.test.ts\n    Cannot find module",
    ]);
  });

  it("times are a table", () => {
    const times = [
      { title: "lint", seconds: 12.4 },
      { title: "browser", seconds: 300 },
    ];
    expect(timeTable(times)).toEqual(["lint        12 s", "browser    300 s"]);
  });
});
