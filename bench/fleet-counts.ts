/**
 * Prints what is stored of all vehicles as JSON: `[dimension, ["value counter", sum][]][]`. A program of its own, because
 * server-only modules need `--conditions=react-server`. Argument: the database's URI.
 */
import { allVehicles, type Dimension, dimensions } from "@/lib/fleet/dimensions";
import { loadBuckets } from "@/lib/fleet/stored-counts";
import { connect, disconnect } from "@/lib/platform/db/connection/connect";

await connect({ uri: process.argv[2] ?? "", dbName: "policy_server" });
const counts: [string, [string, number][]][] = [];
for (const dimension of Object.keys(dimensions) as Dimension[]) {
  const found = new Map<string, number>();
  const place = { environment: "production", dimension, cell: allVehicles } as const;
  for (const { values } of await loadBuckets("day", place, new Date(0), new Date(Date.now() + 86_400_000)))
    for (const [value, counters] of values)
      for (const [counter, by] of Object.entries(counters))
        if (by > 0) found.set(`${value} ${counter}`, (found.get(`${value} ${counter}`) ?? 0) + by);
  counts.push([dimension, [...found]]);
}
console.log(JSON.stringify(counts));
await disconnect();
