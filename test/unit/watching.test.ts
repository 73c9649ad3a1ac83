import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { findTool } from "@/test/support/tools";

const root = path.join(import.meta.dirname, "../..");
const folder = "deploy/prometheus";
const read = (file: string) => readFileSync(path.join(root, file), "utf8");
const alerts: any[] = parse(read(`${folder}/alerts.yml`)).groups.flatMap(({ rules }: any) => rules);
const dashboard = JSON.parse(read("deploy/grafana/open-policy-server.json"));

describe("O1: deploy/prometheus/alerts.yml", () => {
  const [goodWeek, ...faults] = parse(read(`${folder}/alerts.test.yml`)).tests;
  const expected = faults.flatMap(({ promql_expr_test: tests }: any) =>
    tests.flatMap(({ exp_samples: samples }: any) => samples.map(({ labels }: any) => labels)),
  );

  it.each(alerts.map(({ alert, expr }) => [alert, expr]))("%s is tested both ways", (alert, expr) => {
    expect(expected.filter((labels: string) => labels.includes(`alertname="${alert}"`))).not.toEqual([]);
    // It could not fire in a week that lacks what it asks for.
    const series = goodWeek.input_series.map((one: any) => one.series.split("{")[0]);
    const asked = [...expr.matchAll(/\b(?:up(?={)|(?:policy|nodejs|process)_\w+)/g)].map(([name]) => name);
    expect(asked).not.toEqual([]);
    expect(asked.filter((name) => !series.includes(name))).toEqual([]);
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

  it("asks for the job as prometheus.yml names it", () => {
    const [{ job_name: job }] = parse(read(`${folder}/prometheus.yml`)).scrape_configs;
    const jobs = alerts.flatMap(({ expr }) => [...expr.matchAll(/job="([^"]*)"/g)].map(([, name]) => name));
    expect(new Set(jobs)).toEqual(new Set([job]));
  });
});

it("O3: every alert has a name of its own, a severity, a sentence of what to do, and a line in metrics.md", () => {
  const told =
    read("docs/metrics.md")
      .split("\n## Alerts\n")[1]
      ?.matchAll(/(?:^\| |, )`([A-Z]\w+)`(?=,| )/gm) ?? [];
  expect([...told].map(([, name]) => name).toSorted()).toEqual(alerts.map(({ alert }: any) => alert).toSorted());
  expect(new Set(alerts.map(({ alert }: any) => alert)).size).toBe(alerts.length);
  for (const { alert, labels, annotations } of alerts) {
    expect([alert, labels.severity]).toEqual([alert, expect.stringMatching(/^(critical|warning)$/)]);
    expect(annotations.summary).toMatch(/^[A-Z]/);
    expect(annotations.action).toMatch(/^[A-Z].*\.$/);
  }
});

it("O3: no panel of the dashboard lies over another", () => {
  const taken = new Set<string>();
  for (const { gridPos, title } of dashboard.panels) {
    const place = `${gridPos.x},${gridPos.y}`;
    expect([title, taken.has(place)]).toEqual([title, false]);
    taken.add(place);
  }
});
