import { monitorEventLoopDelay } from "node:perf_hooks";
import { Histogram, type Metric, Registry } from "prom-client";
import { droppedLines } from "@/lib/platform/log-output";

/** One value of a metric. `name` only if it differs from the metric's, as for the parts of a histogram. */
export interface Sample {
  readonly value: number;
  readonly labels?: Readonly<Record<string, string | number>>;
  readonly name?: string;
}

export interface Figure {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  /** Null: unknown now, so the metric is left out, as it is if `read` fails. */
  readonly read: () => number | null | readonly Sample[] | Promise<number | null | readonly Sample[]>;
}

type Read = Figure["read"];
export const gauge = (name: string, help: string, read: Read): Figure => ({ name, help, type: "gauge", read });
export const counter = (name: string, help: string, read: Read): Figure => ({ name, help, type: "counter", read });

export type ProcessFigures = ReturnType<typeof createFigures>;

/** Creates this process's metrics, starting with its resource use. Values are read on demand, so counting is cheap. */
export function createFigures(name: string) {
  const registry = new Registry();
  registry.setDefaultLabels({ process: name });
  const add = (...figures: readonly Figure[]) => {
    // The library accepts any object with this interface, but its types only allow its own classes.
    for (const figure of figures) registry.registerMetric(toMetric(figure) as unknown as Metric);
  };
  add(...processFigures());
  /** Some metrics, or all. Reading the maximum of the event loop delay begins it anew. */
  const collect = async (names?: readonly string[]) =>
    names === undefined
      ? registry.getMetricsAsJSON()
      : Promise.all(names.flatMap((one) => registry.getSingleMetric(one)?.get() ?? []));
  const histogram = (metric: string, help: string, buckets: number[]) =>
    new Histogram({ name: metric, help, buckets, registers: [registry] });
  return { add, histogram, collect };
}

function toMetric({ name, help, type, read }: Figure) {
  const get = async () => {
    const values = (await readSamples(read)).map(({ name: metricName, labels = {}, value }) => {
      return { ...(metricName !== undefined && { metricName }), labels, value };
    });
    // The process label makes all values distinct, so nothing is summed.
    return { name, help, type, values, aggregator: "sum" };
  };
  return { name, get };
}

async function readSamples(read: Figure["read"]): Promise<readonly Sample[]> {
  try {
    const found = await read();
    const samples = typeof found === "number" ? [{ value: found }] : (found ?? []);
    // JSON, which processes exchange, has no form for the others.
    return samples.filter(({ value }) => Number.isFinite(value));
  } catch {
    return [];
  }
}

const resolution = 20;

function processFigures(): readonly Figure[] {
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  // A sample is the time between two ticks, in nanoseconds.
  const beyond = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - resolution / 1e3);
  const lag = (name: string, help: string, read: () => number) =>
    gauge(`nodejs_eventloop_lag_${name}_seconds`, help, read);
  return [
    lag("p50", "Event loop delay since the last scrape, median", () => beyond(delay.percentile(50))),
    lag("p99", "Event loop delay since the last scrape, 99th percentile", () => beyond(delay.percentile(99))),
    lag("max", "Event loop delay since the last scrape, maximum", () => {
      const longest = beyond(delay.max);
      delay.reset();
      return longest;
    }),
    gauge("process_resident_memory_bytes", "Resident memory of the process", () => process.memoryUsage.rss()),
    gauge("nodejs_heap_size_used_bytes", "JavaScript heap in use", () => process.memoryUsage().heapUsed),
    counter("process_cpu_seconds_total", "CPU time of the process", () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    }),
    gauge("process_start_time_seconds", "When the process started, in seconds since 1970", () =>
      Math.round(performance.timeOrigin / 1000),
    ),
    counter("policy_log_lines_dropped_total", "Log lines dropped because nothing read them", droppedLines),
  ];
}
