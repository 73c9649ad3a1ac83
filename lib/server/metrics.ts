import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { writeRefusal } from "@/lib/db/write-refusal";
import type { LaneEvent } from "@/lib/policy/lane";
import type { RuntimeStatus } from "@/lib/policy/runtime";

/** The figures of this process in the form that Prometheus reads. */
export interface Metrics {
  observeVehicle(event: LaneEvent): void;
  /** The text of `GET /metrics` and its media type. */
  collect(): Promise<{ text: string; contentType: string }>;
}

/** Makes the metrics; `status` is asked when they are collected. */
export function createMetrics(status: () => RuntimeStatus): Metrics {
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
  gauge("policy_current", "1 when the policies in service are those of the newest revision", ({ state }) =>
    state === "ready" ? 1 : 0,
  );
  gauge("policy_database_writable", "0 while the database takes no writes, e.g. because its disk is full", () =>
    writeRefusal() === null ? 1 : 0,
  );
  gauge("policy_apps", "Stored apps", ({ apps }) => apps);
  gauge("process_resident_bytes", "Resident memory of the process", () => process.memoryUsage.rss());

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
