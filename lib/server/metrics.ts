import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { writeRefusal } from "@/lib/db/write-refusal";
import type { LaneEvent } from "@/lib/policy/lane";
import type { HeadUnitFinding } from "@/lib/policy/head-unit-check";
import type { RuntimeStatus } from "@/lib/policy/runtime";
import { environments, type Environment } from "@/lib/policy/vocabulary";

/** The figures of this process in the form that Prometheus reads. */
export interface Metrics {
  observeVehicle(event: LaneEvent): void;
  /** The text of `GET /metrics` and its media type. */
  collect(): Promise<{ text: string; contentType: string }>;
}

const builds = ["regular", "external", "both"] as const;
const severities = ["refused", "danger", "corrected"] as const;

/** Makes the metrics; `status` and `findings` are asked when they are collected. */
export function createMetrics(
  status: () => RuntimeStatus,
  findings: (environment: Environment) => readonly HeadUnitFinding[],
): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const answers = new Counter({
    name: "policy_answers_total",
    help: "Answers of the policy routes",
    labelNames: ["environment", "status"] as const,
    registers,
  });
  const duration = new Histogram({
    name: "policy_answer_seconds",
    help: "Time from the first line of a vehicle's request to its answer",
    labelNames: ["environment"] as const,
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5],
    registers,
  });
  gauge("policy_revision", "Revision of the policies in service", (current) => current.revision ?? 0);
  gauge("policy_age_seconds", "Time since the policies in service were compiled", ({ builtAt }) =>
    builtAt === null ? 0 : (Date.now() - builtAt) / 1000,
  );
  gauge(
    "policy_confirmed_age_seconds",
    "Time since the database was last seen to be at the revision in service, restarts included; NaN when not known",
    ({ confirmedAt }) => (confirmedAt === null ? Number.NaN : Math.max(0, Date.now() - confirmedAt) / 1000),
  );
  gauge("policy_current", "1 when the policies in service are those of the newest revision", ({ state }) =>
    state === "ready" ? 1 : 0,
  );
  gauge("policy_database_writable", "0 while the database takes no writes, e.g. because its disk is full", () =>
    writeRefusal() === null ? 1 : 0,
  );
  gauge("policy_apps", "Stored apps", ({ apps }) => apps);
  gauge("process_resident_bytes", "Resident memory of the process", () => process.memoryUsage.rss());

  new Gauge({
    name: "policy_head_unit_findings",
    help: "What head units would object to in the policy table, shared parts and entries of apps that were looked at",
    labelNames: ["environment", "build", "severity"] as const,
    registers,
    collect() {
      for (const environment of environments) {
        const found = findings(environment);
        for (const build of builds)
          for (const severity of severities) {
            const count = found.filter((one) => one.build === build && one.severity === severity).length;
            this.set({ environment, build, severity }, count);
          }
      }
    },
  });

  function gauge(name: string, help: string, read: (current: RuntimeStatus) => number) {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read(status()));
      },
    });
  }

  return {
    observeVehicle({ environment, status: code, milliseconds }) {
      answers.inc({ environment, status: code });
      duration.observe({ environment }, milliseconds / 1000);
    },
    collect: async () => ({ text: await registry.metrics(), contentType: registry.contentType }),
  };
}
