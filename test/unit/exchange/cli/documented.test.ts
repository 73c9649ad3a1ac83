import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { runCommand } from "@/test/support/command-line";

const read = (file: string) => readFileSync(path.join(import.meta.dirname, "../../../../docs", file), "utf8");
const pipeline = read("examples/policy.yml");
const pages = ["backups.md", "migration-from-sdl-server.md", "policy-as-files.md"];

const callsIn = (text: string) =>
  [...text.matchAll(/(?:\$OPEN_POLICY|npm run policy --) ([a-z][^`#>|\n]*)/g)].map(([, call = ""]) =>
    call.trim().split(/\s+/),
  );

describe("X4, X5: calls of the command line in the documentation", () => {
  it.each(["examples/policy.yml", ...pages])("%s names commands and options that there are", async (file) => {
    const calls = callsIn(read(file));
    expect(calls.length).toBeGreaterThan(2);
    for (const [command = "", ...words] of calls) {
      const { code, out } = await runCommand([command, "--help"]);
      expect([command, code, out]).toEqual([command, 0, expect.stringContaining(`open-policy ${command}`)]);
      for (const option of words.filter((word) => word.startsWith("--"))) expect(out).toContain(`${option} `);
    }
  });

  it("X4b: command-line.md lists every command, and the exit codes as the help does", async () => {
    const page = read("command-line.md");
    const { out: script } = await runCommand(["completion", "bash"]);
    const ways = [...script.matchAll(/^ {4}"(.+)"\) next=/gm)].map(([, way = ""]) => way);
    const commands = ways.filter((way) => !ways.some((other) => other.startsWith(`${way} `)));
    const listed = [...page.matchAll(/^\| `([a-z -]+?)(?: <\w+>| \[\w+\])?` +\| [a-z]/gm)].map(([, way]) => way);
    expect(listed.toSorted()).toEqual(commands.toSorted());
    const rows = [...page.matchAll(/^\| (\d) +\| (.+?) +\|$/gm)].map(([, code, means]) => `  ${code}  ${means}\n`);
    expect(rows.length).toBe(6);
    expect((await runCommand(["--help"])).out).toContain(`Exit codes:\n${rows.join("")}`);
  });

  it("X5: a pull request only looks, and its merge imports and publishes, one at a time", () => {
    const { jobs, env, ...rest } = parse(pipeline);
    const callsOf = (job: any) =>
      callsIn(job.steps.map(({ run = "" }: any) => run).join("\n")).map(([command]) => command);
    expect([jobs.diff.if, callsOf(jobs.diff)]).toEqual(["github.event_name == 'pull_request'", ["diff"]]);
    expect([jobs.publish.if, callsOf(jobs.publish)]).toEqual(["github.event_name == 'push'", ["import", "publish"]]);
    // A group of both, or one that keeps only the newest of those that wait, would cancel a publication.
    expect(rest).not.toHaveProperty("concurrency");
    expect(jobs.publish.concurrency).toEqual({ group: "policy-publish", queue: "max" });
    expect(jobs.diff.concurrency.group).not.toContain("publish");
    expect(env).toHaveProperty("OPEN_POLICY_URL");
    // G7: what pull requests have cannot publish, and what is published is the plan that they showed.
    expect(JSON.stringify([env, jobs.diff])).not.toContain("secrets.OPEN_POLICY_TOKEN");
    expect([jobs.publish.environment, jobs.publish.env]).toEqual([
      "production",
      { OPEN_POLICY_TOKEN: "${{ secrets.OPEN_POLICY_TOKEN }}" },
    ]);
    const published = callsIn(jobs.publish.steps.map(({ run = "" }: any) => run).join("\n"));
    expect(published[1]).toEqual(expect.arrayContaining(["--plan", "plan.json"]));
  });
});
