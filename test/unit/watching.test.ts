import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { findTool } from "@/test/support/tools";

const root = path.join(import.meta.dirname, "../..");
const folder = "deploy/prometheus";
const read = (file: string) => readFileSync(path.join(root, file), "utf8");
const rules: any[] = parse(read(`${folder}/alerts.yml`)).groups.flatMap(({ rules }: any) => rules);
const alerts = rules.filter((rule) => "alert" in rule);
const recorded = new Set<string>(rules.flatMap(({ record }) => record ?? []));
const recordedIn = (expr: string): string[] => expr.match(/\bobjective:\w+:\w+/g) ?? [];
const dashboard = JSON.parse(read("deploy/grafana/open-policy-server.json"));

describe("O1: deploy/prometheus/alerts.yml", () => {
  const [goodWeek, ...faults] = parse(read(`${folder}/alerts.test.yml`)).tests;
  const expected = faults.flatMap(({ promql_expr_test: tests }: any) =>
    tests.flatMap(({ exp_samples: samples }: any) => samples.map(({ labels }: any) => labels)),
  );

  it.each(alerts.map(({ alert }) => alert))("%s fires in a fault", (alert) => {
    expect(expected.filter((labels: string) => labels.includes(`alertname="${alert}"`))).not.toEqual([]);
  });

  it.each(rules)("the good week has what $alert$record asks for, without which it could not fire", ({ expr }) => {
    const series = goodWeek.input_series.map((one: any) => one.series.split("{")[0]);
    const asked = [...expr.matchAll(/\b(?:up(?={)|(?:policy|nodejs|process)_\w+)/g)].map(([name]) => name);
    expect([...asked, ...recordedIn(expr), ...(/^vector\(/.exec(expr) ?? [])]).not.toEqual([]);
    expect(asked.filter((name) => !series.includes(name))).toEqual([]);
    expect(recordedIn(expr).filter((name) => !recorded.has(name))).toEqual([]);
  });

  it("O3a: each objective counts its events, has a budget and a line in metrics.md, and fires when it is missed", () => {
    const objectives = (of: string) =>
      rules.filter(({ record }) => record === of).map(({ labels }) => labels.objective);
    const all = objectives("objective:budget:ratio");
    expect([objectives("objective:events:rate5m"), objectives("objective:bad_events:rate5m")]).toEqual([all, all]);
    const rows =
      read("docs/metrics.md")
        .split("\n## Objectives\n")[1]
        ?.matchAll(/^\| `([a-z-]+)`/gm) ?? [];
    expect([...rows].map(([, name]) => name)).toEqual(all);
    const missed = expected.flatMap(
      (labels: string) => /ErrorBudgetBurning.*objective="([\w-]+)"/.exec(labels)?.[1] ?? [],
    );
    expect(missed).toEqual(all);
  });

  it("no alert is tested that is not there, and the good week expects none", () => {
    const names = expected.map((labels: string) => /alertname="(\w+)"/.exec(labels)?.[1]);
    expect(names.filter((name: string) => alerts.every(({ alert }) => alert !== name))).toEqual([]);
    expect(goodWeek.promql_expr_test[0].exp_samples).toEqual([]);
  });

  const promtool = findTool("promtool", "the alerts in a good week and in their faults");

  it.skipIf(promtool === null)(
    "each alert fires in its fault, and none in a good week with default settings",
    async () => {
      const words = ["test", "rules", `${folder}/alerts.test.yml`];
      const { stdout, stderr } = await promisify(execFile)(promtool ?? "", words, { cwd: root });
      expect([stdout.trimEnd().split("\n").at(-1)?.trim(), stderr]).toEqual(["SUCCESS", ""]);
    },
  );

  const amtool = findTool("amtool", "the configuration of Alertmanager");

  it.skipIf(amtool === null)("Alertmanager takes its configuration, and tells of both severities", async () => {
    const file = path.join(await mkdtemp(path.join(tmpdir(), "amtool-")), "alertmanager.yml");
    // Older versions, such as Debian's, read no address from a file.
    await writeFile(file, read(`${folder}/alertmanager.yml`).replace(/url_file: .*/, "url: http://127.0.0.1"));
    const run = (...words: string[]) => promisify(execFile)(amtool ?? "", words);
    expect((await run("check-config", file)).stdout).toContain("SUCCESS");
    for (const severity of ["page", "ticket"]) {
      const { stdout } = await run("config", "routes", "test", `--config.file=${file}`, `severity=${severity}`);
      expect([severity, stdout.trim()]).toEqual([severity, "webhook"]);
    }
    await rm(path.dirname(file), { recursive: true });
    const { inhibit_rules: inhibited } = parse(read(`${folder}/alertmanager.yml`));
    const named = JSON.stringify(inhibited).match(/\b[A-Z][a-z]+[A-Z]\w+/g) ?? [];
    expect(named.filter((name) => alerts.every(({ alert }) => alert !== name))).toEqual([]);
  });

  it("asks for the job as prometheus.yml names it", () => {
    const [{ job_name: job }] = parse(read(`${folder}/prometheus.yml`)).scrape_configs;
    const jobs = alerts.flatMap(({ expr }) => [...expr.matchAll(/job="([^"]*)"/g)].map(([, name]) => name));
    expect(new Set(jobs)).toEqual(new Set([job]));
  });
});

it("O3: every alert has a name of its own, a severity, a sentence of what to do, a runbook, and a line in metrics.md", () => {
  const told =
    read("docs/metrics.md")
      .split("\n## Alerts\n")[1]
      ?.matchAll(/(?:^\| |, )`([A-Z]\w+)`(?=,| )/gm) ?? [];
  expect([...told].map(([, name]) => name).toSorted()).toEqual(alerts.map(({ alert }: any) => alert).toSorted());
  expect(new Set(alerts.map(({ alert }: any) => alert)).size).toBe(alerts.length);
  const runbooks = read("docs/runbooks.md").split(/^## /m).slice(1);
  expect(runbooks.map((text) => text.split("\n")[0]).toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted());
  // What it means, how to see it, what to do in order, and when to call somebody.
  for (const text of runbooks) expect(text).toMatch(/\*\*Means\*\*[^]+\*\*See\*\*[^]+\n1\. [^]+\*\*Call\*\*/);
  for (const { alert, labels, annotations } of alerts) {
    expect([alert, labels.severity]).toEqual([alert, expect.stringMatching(/^(page|ticket)$/)]);
    expect(annotations.runbook_url).toBe(`docs/runbooks.md#${alert.toLowerCase()}`);
    expect(annotations.summary).toMatch(/^[A-Z]/);
    expect(annotations.action).toMatch(/^[A-Z].*\.$/);
  }
});

it("O3: no panel of the dashboard lies over another; each says what it shows, in which unit, and asks for what there is", () => {
  const taken = new Set<string>();
  const ids = dashboard.panels.map(({ id }: any) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { gridPos, title, type, description, fieldConfig, targets = [] } of dashboard.panels) {
    const place = `${gridPos.x},${gridPos.y}`;
    const size = type === "row" ? { w: 24, h: 1 } : { w: 8, h: 8 };
    expect([title, gridPos, taken.has(place)]).toEqual([title, expect.objectContaining(size), false]);
    taken.add(place);
    if (type === "row") continue;
    expect([title, description, fieldConfig.defaults.unit]).toEqual([
      title,
      expect.stringMatching(/^[A-Z\d].*\.$/),
      expect.any(String),
    ]);
    const asked = targets.flatMap(({ expr }: any) => recordedIn(expr));
    expect(asked.filter((name: string) => !recorded.has(name))).toEqual([]);
  }
});
