import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runCommand } from "@/test/support/command-line";
import { validTable } from "@/test/support/valid-table";
import { endStubs, serveHttp } from "@/test/support/http-stub";
import { temporaryFolder } from "@/test/support/temporary-folder";
import packageJson from "@/package.json";

endStubs();
const folder = temporaryFolder();
function written(name: string, content: unknown): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  const isText = typeof content === "string" || Buffer.isBuffer(content);
  writeFileSync(file, isText ? content : JSON.stringify(content));
  return file;
}

describe("X4: the command line", () => {
  it.each([
    [0, ["--help"], /Usage: open-policy/],
    [0, ["help", "backup"], /Usage: open-policy backup/],
    [0, ["--version"], new RegExp(packageJson.version)],
    [2, [], /Usage/],
    [2, ["nonsense"], /unknown command/],
    [2, ["backup"], /missing required argument/],
    [2, ["check", "a", "b"], /too many arguments/],
    [2, ["return", "one"], /must be a number/],
    [2, ["import-sdl-server"], /required option '--postgres/],
    [2, ["import-sdl-server", "--url", "http://a.example.com"], /unknown option|required option/],
    [2, ["verify-sdl-server"], /missing required argument/],
    [2, ["verify-sdl-server", "old.example.com"], /must begin with http/],
    [2, ["verify-sdl-server", "http://a.example.com", "--every", "1d"], /e\.g\. 90s, 30m or 1h/],
    [0, ["releases", "--help"], /Usage: open-policy releases/],
    [2, ["releases"], /Usage: open-policy releases/],
    [2, ["releases", "show", "one"], /must be a number/],
    [2, ["releases", "publish", "--steps", "1:"], /percent:hours/],
    [2, ["freeze", "set"], /required option/],
    [2, ["tokens", "create", "--name", "x", "--role", "boss"], /Allowed choices/],
    [2, ["completion", "tcsh"], /Allowed choices/],
    [2, ["publish", "--server", "ftp://x"], /must begin with http/],
    [2, ["simulate", "x.json", "--environment", "other"], /Allowed choices/],
    [2, ["backup", "x", "--no-such"], /unknown option/],
  ])("help and wrong use: ends with %i and text on one output alone: %j", async (status, args, text) => {
    const { code, out, err } = await runCommand(args);
    expect([code, out, err]).toEqual([
      status,
      ...(status === 0 ? [expect.stringMatching(text), ""] : ["", expect.stringMatching(text)]),
    ]);
  });

  it("check says offline what head units would do with a table, in whatever holds it", async () => {
    const answers = [validTable, { policy_table: validTable }, { data: [{ policy_table: validTable }] }];
    for (const [index, content] of answers.entries()) {
      const { code, out } = await runCommand(["check", written(`${index}.json`, content)]);
      expect([code, out]).toEqual([0, "Every head unit accepts it as it is\n"]);
    }
    const refused = await runCommand(["check", written("bad.json", { policy_table: { module_config: 1 } })]);
    expect(refused.code).toBe(1);
    expect(refused.out).toMatch(/refused \(\w+\): module_config: /);
    const json = await runCommand(["check", "--json", written("bad2.json", { policy_table: 7 })]);
    expect(JSON.parse(json.out).findings[0]).toMatchObject({ severity: "refused" });
  });

  it.each([
    ["comments", '/* a */ {"policy_table": // b\n 7, /* c */ "x": [/* d */ 1]}'],
    ["trailing commas", '{"policy_table": 7, "x": [1, 2, ], }'],
    ["control characters in texts", '{"x": "a\n\tb", "policy_table": 7}'],
    ["numbers", '{"x": [030, +30, 30., -007.5e1], "policy_table": 7}'],
    ["text after the end", '{"policy_table": 7} and more'],
    ["comments, trailing commas", '{"policy_table": 7, /* c */ }'],
  ])("X4a: check reads a table as head units do, and says so: %s", async (what, text) => {
    const { code, out } = await runCommand(["check", written("lenient", text)]);
    expect([code, out.split("\n")[0]]).toEqual([1, expect.stringMatching(`head units read it all the same: ${what}$`)]);
    expect(out).toContain("the policy table must be an object, not 7");
  });

  it.each([
    ["a comment before a colon", '{"policy_table" /* a */ : 7}'],
    ["no value", '{"policy_table": [,]}'],
    ["two commas", '{"policy_table": [1,,]}'],
    ["an unknown escape", String.raw`{"policy_table": "\q"}`],
    ["an escaped line break", '{"policy_table": "a\\\nb"}'],
    ["an open comment", '{"policy_table": 7 /* }'],
    ["single quotes", "{'policy_table': 7}"],
    ["a number without digits", '{"policy_table": .5}'],
    ["hexadecimal", '{"policy_table": 0x10}'],
    ["no end", '{"policy_table": [7'],
  ])("X4a: what head units cannot read stays refused: %s", async (_, text) => {
    const { code, err } = await runCommand(["check", written("broken", text)]);
    expect([code, err]).toEqual([1, expect.stringContaining("is not JSON")]);
  });

  it("X4a: names a byte-order mark, which head units refuse", async () => {
    const { code, err } = await runCommand(["check", written("marked", '\uFEFF{"policy_table": 7}')]);
    expect([code, err]).toEqual([1, expect.stringContaining("begins with a byte-order mark")]);
  });

  it.each([
    [
      "groups/a.yaml",
      "name: Gr\u00fc\u00dfe\nrpcs: []\n",
      "latin1",
      "groups/a.yaml is not UTF-8 in line 1: save it as UTF-8",
    ],
    ["groups/a.yaml", "\ufeffname: A\nrpcs: []\n", "utf16le", "groups/a.yaml is UTF-16, not UTF-8"],
    ["groups/a.yaml", "name: A\nrpcs: []\n", "utf16le", "groups/a.yaml is UTF-16, not UTF-8"],
    ["groups/nav/a.yaml", "name: A\nrpcs: []\n", "utf8", "groups/nav/a.yaml: not a file of a policy"],
    ["Groups/a.YML", "\ufeffname: A\nrpcs: []\n", "utf8", "http://127.0.0.1:9 cannot be reached"],
    ["a.json", '\ufeff{"groups": []}', "utf8", "http://127.0.0.1:9 cannot be reached"],
    ["a.json", '{"a": "\u00fc"}', "latin1", "a.json is not UTF-8 in line 1"],
    ["a.json", '{"a": {"b": 1},\n "a" : 2}', "utf8", "a.json has the member a twice: line 2, column 2"],
    ["a.json", '{"a": 1,\n}', "utf8", "a.json is not JSON: line 2, column 1: "],
  ] as const)("X1a: import and diff of %s with %j in %s: %s", async (name, text, encoding, sentence) => {
    const place = mkdtempSync(path.join(folder, "in-"));
    const file = written(path.join(path.basename(place), name), Buffer.from(text, encoding));
    for (const command of ["import", "diff"]) {
      const given = name.endsWith(".json") ? file : place;
      const { code, err } = await runCommand([command, given, "--server", "http://127.0.0.1:9"]);
      const isAway = sentence.includes("cannot be reached");
      expect([code, err]).toEqual([isAway ? 4 : 1, expect.stringContaining(sentence)]);
    }
  });

  it("X4: a table in another encoding is refused by name, and backup makes no database in a wrong folder", async () => {
    const table = written("latin1.json", Buffer.from('{"policy_table": "\u00fc"}', "latin1"));
    expect((await runCommand(["check", table])).err).toContain("latin1.json is not UTF-8 in line 1");
    const DATA_DIR = mkdtempSync(path.join(folder, "data-"));
    const { code, err } = await runCommand(["backup", path.join(folder, "none.backup")], { DATA_DIR });
    expect([code, err]).toEqual([1, expect.stringContaining(`DATA_DIR has no database: ${DATA_DIR}`)]);
    expect(readdirSync(DATA_DIR)).toEqual([]);
    const wrong = await runCommand(["publish", "--all"], { OPEN_POLICY_URL: "nonsense" });
    expect([wrong.code, wrong.err]).toEqual([
      2,
      expect.stringContaining("OPEN_POLICY_URL is not valid. It must begin"),
    ]);
  });

  it("tells in a sentence which file cannot be read: 1", async () => {
    for (const [file, sentence] of [
      [path.join(folder, "none"), "cannot be read"],
      [written("text", "hello"), "is not JSON"],
    ] as const) {
      const { code, err } = await runCommand(["check", file]);
      expect([code, err]).toEqual([1, expect.stringContaining(sentence) as string]);
    }
    const { out } = await runCommand(["check", "--json", path.join(folder, "none")]);
    expect(JSON.parse(out).error).toContain("cannot be read");
  });

  const scheduled = { kind: "scheduled_releases", count: 1, path: "/releases", detail: null };
  it.each([
    ["ready", { waiting: [scheduled], rollout: null }, 0, /^Database {2}mongodb$/m],
    ["ready", { waiting: [{ ...scheduled, kind: "failed_tasks" }], rollout: null }, 5, /^! {2}1 {2}failed tasks/m],
    ["degraded", { waiting: [], rollout: null }, 5, /: degraded$/m],
    ["ready", null, 5, /^Database {2}mongodb: cannot be reached$/m],
  ])("X4b: status of a server that is %s and has %j: %i", async (state, overview, code, line) => {
    const policy = { revision: 3, served_revision: 3 };
    const about = { current_version: "1", database: "mongodb", directory: { tasks: overview && [] }, policy };
    const bodies: Readonly<Record<string, unknown>> = {
      "/api/v1/about": about,
      "/api/v1/ui/overview": overview,
      "/api/v1/releases/freeze": overview && { freeze: null },
    };
    const { url } = await serveHttp(({ path: asked }) => {
      if (asked === "/health/ready") return { status: state === "ready" ? 200 : 503, body: { state } };
      const status = bodies[asked] === null ? 503 : 200;
      return { status, body: { meta: { code: status, message: null }, data: bodies[asked] } };
    });
    const outcome = await runCommand(["status", "--server", url]);
    expect(outcome).toEqual({ code, out: expect.stringMatching(line), err: "" });
  });

  const completed = [
    ["re", ["releases", "return", "restore", "restore-drill"]],
    ["releases ro", ["roll-back"]],
    ["releases list --l", ["--limit"]],
    ["freeze set --reason text --f", ["--from"]],
  ] as const;
  it("X4d: completes commands, their commands and options in bash", async () => {
    const { out: script } = await runCommand(["completion", "bash"]);
    for (const [line, words] of completed) {
      const typed = ["open-policy", ...line.split(" ")];
      const call = `COMP_WORDS=(${typed.join(" ")}) COMP_CWORD=${typed.length - 1}; _open_policy; echo "\${COMPREPLY[@]}"`;
      const { stdout, stderr } = spawnSync("bash", ["-c", `${script}\n${call}`], { encoding: "utf8" });
      expect([line, stdout.trim().split(" "), stderr]).toEqual([line, words, ""]);
    }
    const { out: zsh } = await runCommand(["completion", "zsh"]);
    expect(zsh).toBe(`autoload -U +X bashcompinit && bashcompinit\n${script}`);
  });

  const hasFish = spawnSync("fish", ["--version"]).status === 0;
  it.skipIf(!hasFish)("X4d: and in fish", async () => {
    const { out: script } = await runCommand(["completion", "fish"]);
    for (const [line, words] of completed) {
      const call = `complete --do-complete "open-policy ${line}"`;
      const { stdout } = spawnSync("fish", ["--no-config", "-c", `${script}\n${call}`], {
        encoding: "utf8",
        cwd: folder,
      });
      expect([line, stdout.trim().split("\n")]).toEqual([line, expect.arrayContaining([...words])]);
    }
  });

  it("names settings that are not right, and no secret of theirs", async () => {
    const { code, err } = await runCommand(["backup", path.join(folder, "b")], {
      MONGODB_URI: "http://user:secret@host",
    });
    expect(code).toBe(1);
    expect(err).toContain("MONGODB_URI must have the form");
    expect(err).not.toContain("secret");
  });
});
