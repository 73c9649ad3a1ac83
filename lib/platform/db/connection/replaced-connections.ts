import { processGlobal } from "@/lib/platform/process-globals";

// Apart from what replaces them: whoever only counts needs no driver.
const counted = processGlobal("replaced-connections", () => ({ times: 0 }));

export function replacedConnections(): number {
  return counted.times;
}

export function countReplacedConnection(): number {
  counted.times += 1;
  return counted.times;
}
