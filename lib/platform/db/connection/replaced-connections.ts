import { processGlobal } from "@/lib/platform/process-globals";

// Apart from what replaces them: whoever only counts needs no driver.
const counted = processGlobal("replaced-connections", () => ({ times: 0 }));

/** How often this process has replaced its dead connection to the database, for metrics. */
export function replacedConnections(): number {
  return counted.times;
}

/** Counts one more; returns how many there are. */
export function countReplacedConnection(): number {
  counted.times += 1;
  return counted.times;
}
