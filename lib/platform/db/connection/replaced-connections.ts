import { processGlobal } from "@/lib/platform/process-globals";

// In its own file, so that reading the count does not load the driver.
const counted = processGlobal("replaced-connections", () => ({ times: 0 }));

export function replacedConnections(): number {
  return counted.times;
}

export function countReplacedConnection(): number {
  counted.times += 1;
  return counted.times;
}
