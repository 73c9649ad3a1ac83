import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";

const root = path.join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(path.join(root, file), "utf8");
const alerts = parse(read("deploy/prometheus/alerts.yml")).groups.flatMap(({ rules }: any) => rules);
const dashboard = JSON.parse(read("deploy/grafana/open-policy-server.json"));

/** Names of all figures, as the sources write them. */
const exported = new Set(
  ["lib/figures", "lib/process", "lib/server", "lib/main", "lib/lane"].flatMap((folder) =>
    readdirSync(path.join(root, folder))
      .filter((name) => name.endsWith(".ts"))
      .flatMap((name) =>
        [...read(path.join(folder, name)).matchAll(/"((?:policy|nodejs|process)_[a-z0-9_]+)"/g)].map(
          ([, figure = ""]) => figure,
        ),
      ),
  ),
);
/** Names in an expression; a histogram has more than the one it was given. */
const named = (expression: string) =>
  [...expression.matchAll(/\b(?:policy|nodejs|process)_[a-z0-9_]+/g)].map(([name]) =>
    name.replace(/_(bucket|count|sum)$/, ""),
  );
const isExported = (name: string) => exported.has(name) || read("docs/metrics.md").includes(`\`${name}\``);

it("O3: alerts and dashboard ask for figures that are there, by their names", () => {
  const asked = [
    ...alerts.map(({ expr }: any) => expr),
    ...dashboard.panels.flatMap(({ targets }: any) => targets.map(({ expr }: any) => expr)),
  ].flatMap(named);
  expect(new Set(asked).size).toBeGreaterThan(20);
  expect(
    [...new Set(asked)].filter((name) => !isExported(name) && !/^nodejs_eventloop_lag_p99_seconds$/.test(name)),
  ).toEqual([]);
  expect(isExported("policy_no_such_figure")).toBe(false);
});

it("O3: every alert has a name of its own, a severity, and a sentence of what to do", () => {
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
