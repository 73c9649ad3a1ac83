import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "@/test/support/command-line";
import { readDocumentedSteps } from "@/test/support/documented-commands";
import { aloneEnvironment, startServer, type TestServer } from "@/test/support/server";
import { eventually, requestTable, sampleRequest } from "@/test/support/vehicle";
import { temporaryFolder } from "@/test/support/temporary-folder";

const password = "a password of this test";
const folder = temporaryFolder();
const file = (name: string) => path.join(folder, name);
const env = {
  ...aloneEnvironment,
  ...{ AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: password, LISTEN_ADDRESS: "127.0.0.1", BACKUP_DIR: file("kept") },
};
let server: TestServer;
beforeAll(async () => {
  server = await startServer({ env });
});
afterAll(async () => {
  await server.stop();
});

const run = (...args: string[]) => runCommand(args, { OPEN_POLICY_URL: server.origin, OPEN_POLICY_PASSWORD: password });
const runJson = async (...args: string[]) => {
  const { code, out, err } = await run(...args, "--json");
  return { code, err, data: JSON.parse(out) };
};
const allowed = async () => {
  const { table } = await requestTable(server.origin);
  return Object.keys(table.functional_groupings["Notifications"].rpcs);
};

/** Numbers, times, hashes and widths of columns differ from run to run. */
const usual = (text: string) =>
  text
    .replaceAll(`${folder}/`, "")
    .replaceAll(/ops_\w+|\b[0-9a-f]{64}\b|\d[\d:.TZ-]*/g, "#")
    .replaceAll(/ +/g, " ")
    .trim();

describe("open-policy against a running server", () => {
  it("X12, X12a: the server has backed up, and restored that backup in a process of its own", async () => {
    const headers = { "BASIC-AUTH-PASSWORD": password };
    const drill = async () => {
      const { data }: any = await (await fetch(`${server.origin}/api/v1/about`, { headers })).json();
      return data.directory.tasks.find(({ name }: any) => name === "restore-drill");
    };
    const ended = await eventually(async () => {
      const task = await drill();
      return ["succeeded", "failed"].includes(task?.state) && task;
    });
    expect(ended).toMatchObject({ state: "succeeded" });
    expect(ended.counts).toEqual({ documents: expect.any(Number), tables: 6, apps: expect.any(Number) });
    expect(readdirSync(server.dataDir)).not.toContain("database.drill");
  });

  it("X4b: docs/command-line.md: each command prints what the page shows, and reads as JSON", async () => {
    const steps = readDocumentedSteps(readFileSync("docs/command-line.md", "utf8"));
    expect(steps.length).toBeGreaterThan(8);
    const group = file("policy/groups/Notifications.yaml");
    const files = ["policy", "plan.json", "events.ndjson"];
    let [before, days] = ["", 0];
    const later = () => new Date(Date.now() + (days += 1) * 86_400_000).toISOString();
    for (const { calls, output } of steps) {
      let printed = "";
      for (const call of calls) {
        const args = call.map((word) => (files.includes(word) ? file(word) : word.replace(/^\d{4}-.*Z$/, later)));
        const { code, out, err } = await run(...args);
        expect([call, code, err]).toEqual([call, call[0] === "diff" ? 3 : 0, ""]);
        // The shell puts it into a variable.
        if (call[1] === "create") expect(out).toMatch(/^ops_\S+\n$/);
        else printed += out;
        const way = call.join(" ");
        if (/^(?:status|\w+ (?:list|show|verify))\b/.test(way)) expect((await runJson(...args)).code).toBe(0);
        if (way === "rollout pause") expect((await run("status")).code).toBe(5);
        if (call[0] !== "export") continue;
        before = readFileSync(group, "utf8");
        writeFileSync(group, before.replace(/^rpcs:\n/m, "rpcs:\n  - name: AlertManeuver\n    hmi_levels: [FULL]\n"));
      }
      expect(usual(printed)).toBe(usual(output));
    }
    writeFileSync(group, before);
    await run("import", file("policy"));
  });

  it("X4c: without an address, the settings name the server and its password, which goes to no other", async () => {
    const settings = { ...env, POLICY_SERVER_PORT: String(server.port) };
    const { code, out } = await runCommand(["status"], settings);
    expect([code, out]).toEqual([0, expect.stringContaining(`http://127.0.0.1:${server.port}, version`)]);
    const named = await runCommand(["status"], { ...settings, OPEN_POLICY_URL: server.origin });
    expect([named.code, named.err]).toEqual([1, expect.stringContaining("OPEN_POLICY_PASSWORD")]);
    const away = await runCommand(["status"], { ...settings, POLICY_SERVER_PORT: "9" });
    expect([away.code, away.err]).toEqual([4, expect.stringContaining("http://127.0.0.1:9 cannot be reached")]);
  });

  it("X4: is refused without the password, with a sentence that says what is missing", async () => {
    const { code, err } = await runCommand(["export", file("none")], { OPEN_POLICY_URL: server.origin });
    expect([code, err]).toEqual([1, expect.stringContaining("OPEN_POLICY_PASSWORD")]);
  });

  it("X4, W10, L9, L12: files change vehicles' table by import and a plan, and return takes it back", async () => {
    expect((await run("export", file("policy"))).code).toBe(0);
    const group = file("policy/groups/Notifications.yaml");
    const before = await allowed();
    expect(before).not.toContain("AlertManeuver");
    const text = readFileSync(group, "utf8");
    writeFileSync(group, text.replace(/^rpcs:\n/m, "rpcs:\n  - name: AlertManeuver\n    hmi_levels: [FULL]\n"));
    const plan = file("plan.json");
    expect((await run("diff", file("policy"), "--out", plan)).code).toBe(3);
    const planned = [expect.objectContaining({ family: "group", key: "Notifications", from: expect.any(Number) })];
    expect(JSON.parse(readFileSync(plan, "utf8")).items).toEqual(planned);
    expect(await run("publish", "--plan", plan)).toMatchObject({
      code: 1,
      err: expect.stringContaining("another plan"),
    });
    expect((await run("import", file("policy"))).code).toBe(0);
    expect(await allowed()).toEqual(before);

    const dry = await runJson("publish", "--dry-run");
    expect([dry.code, dry.data.release.items]).toEqual([0, [expect.objectContaining({ key: "Notifications" })]]);
    expect(await allowed()).toEqual(before);
    const asked = await run("publish");
    expect([asked.code, asked.out]).toEqual([2, expect.stringMatching(/^Would be published: 1 items\n.*--all/s)]);
    expect(await allowed()).toEqual(before);
    const published = await runJson("publish", "--plan", plan, "--name", "From files", "--note", "by the command line");
    expect([published.code, published.data.release]).toEqual([
      0,
      expect.objectContaining({ name: "From files", note: "by the command line" }),
    ]);
    await expect.poll(allowed).toContain("AlertManeuver");

    const last = published.data.release.number - 1;
    const told = await run("return", String(last), "--dry-run");
    expect([told.code, told.out]).toEqual([0, expect.stringMatching(/^Would be published: 1 items\n/)]);
    const returned = await run("return", String(last), "--name", "Back");
    expect([returned.code, returned.out]).toEqual([0, expect.stringMatching(/^Release \d+ is published: 1 items\n/)]);
    await expect.poll(allowed).toEqual(before);
  });

  it("X4: what the server refuses is told: 1", async () => {
    const unknown = await run("return", "999");
    expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining("999")]);
    const nothing = await run("simulate", file("missing.json"));
    expect([nothing.code, nothing.err]).toEqual([1, expect.stringContaining("cannot be read")]);
  });

  it("X4, L15: simulate tells what a vehicle would be answered, and changes nothing", async () => {
    writeFileSync(file("request.json"), sampleRequest("1-app"));
    const { code, data } = await runJson("simulate", file("request.json"));
    const { table } = await requestTable(server.origin);
    expect([code, Object.keys(data.table.functional_groupings)]).toEqual([0, Object.keys(table.functional_groupings)]);
    expect(data.verdict.regular.is_accepted && data.verdict.external.is_accepted).toBe(true);
    expect((await run("simulate", file("request.json"))).out).toMatch(/^regular: taken, \d+ findings$/m);
  });

  it("X3: production as a preloaded table is taken by both builds, and brought in again changes nothing", async () => {
    const exported = await run("export-preloaded", file("preloaded.json"));
    expect([exported.code, exported.err]).toEqual([0, ""]);
    const { policy_table: table } = JSON.parse(readFileSync(file("preloaded.json"), "utf8"));
    expect(table.module_config.preloaded_pt).toBe(true);
    expect((await run("check", file("preloaded.json"), "--preloaded")).code).toBe(0);
    expect((await run("check", file("preloaded.json"))).code).toBe(1);

    await run("import", file("policy"), "--json");
    await run("publish", "--all");
    await run("export-preloaded", file("preloaded.json"));
    const dry = await runJson("import-preloaded", file("preloaded.json"), "--dry-run");
    expect([dry.code, dry.err]).toEqual([0, ""]);
    // What the table shows is as it was; what it does not show (hidden RPCs, unused parameters) is not in it.
    expect(dry.data.items.filter(({ change }: { change: string }) => change !== "change")).toEqual([]);
    expect(dry.data.left_members.map(({ path: member }: { path: string }) => member)).toContain(
      "module_config.preloaded_pt",
    );
  });
});
