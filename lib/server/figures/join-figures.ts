import { AggregatorRegistry, Registry } from "prom-client";
import type { Figures } from "@/lib/platform/process/messages";

/** The text that Prometheus reads, and its media type. */
export interface JoinedFigures {
  readonly text: string;
  readonly contentType: string;
}

/**
 * Prints the figures of all processes together, which their label keeps apart, and tells of each whether it has answered
 * (`policy_process_up`).
 *
 * @param byProcess figures by the name of the process; empty: it has not answered
 */
export async function joinFigures(byProcess: Readonly<Record<string, Figures>>): Promise<JoinedFigures> {
  const values = Object.entries(byProcess).map(([process, figures]) => {
    return { labels: { process }, value: figures.length === 0 ? 0 : 1 };
  });
  const up = {
    ...{ name: "policy_process_up", help: "1 when the process has told its figures", type: "gauge", values },
    aggregator: "sum",
  };
  // Arrays of what `getMetricsAsJSON` gave, as the library documents it; its types say one object.
  const all = [[up], ...Object.values(byProcess).filter((figures) => figures.length > 0)] as unknown as object[];
  const text = await AggregatorRegistry.aggregate(all).metrics();
  return { text, contentType: Registry.PROMETHEUS_CONTENT_TYPE };
}
