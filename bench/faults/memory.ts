import { setTimeout as wait } from "node:timers/promises";
import autocannon from "autocannon";
import { writeGroup } from "@/bench/faults/api-watch";
import { processesOf } from "@/bench/faults/processes";
import { carsTo, causes, stage, type Row } from "@/bench/faults/stage";

/** Memory of all processes after a while of vehicles, readers and a writer. */
export async function measureMemory({ report, isShort }: Row) {
  const apps = isShort ? 200 : 10_000;
  const seconds = isShort ? 5 : secondsByHand();
  const server = await stage({ apps });
  const cars = await carsTo(server.origin, { apps });
  const paths = ["applications?limit=50", "groups", "messages", "vehicle-data", "audit", "applications?search=App%201"];
  const requests = paths.map((path) => ({ path: `/api/v1/${path}` }));
  const reading = autocannon({ url: server.origin, requests, connections: 4, overallRate: 20, duration: seconds });
  const until = performance.now() + seconds * 1000;
  let writes = 0;
  while (performance.now() < until) {
    const answer = await writeGroup(server.origin);
    await answer.body?.cancel();
    if (answer.ok) writes++;
    await wait(2_000);
  }
  const read = await reading;
  const { sent, failed, failures } = await cars.stop();
  const processes = processesOf(server.child.pid ?? 0);
  await server.stop();
  const sum = (kind: "rss" | "pss") => processes.reduce((total, one) => total + one[kind], 0);
  const vehicleWorkers = processes.filter(({ name }) => name.startsWith("vehicle-worker")).map(({ rss }) => rss);
  const vehicleWorker = Math.max(...vehicleWorkers);
  const max = 550 + 180 * (vehicleWorkers.length - 1);
  report.must(
    `memory of a vehicle worker, ${apps} apps, after ${seconds} s of mixed load`,
    vehicleWorker,
    "≤",
    180,
    "MiB",
  );
  report.must(`memory of all processes, ${apps} apps, after ${seconds} s of mixed load`, sum("rss"), "≤", max, "MiB");
  report.must("cars failed under mixed load", failed, "≤", 0);
  report.table(
    `Memory after ${seconds} s of mixed load: ${sent} cars (failed: ${causes(failures)}), ${read["2xx"]} reads, ${writes} writes`,
    ["process", "resident MiB", "shared pages in parts, MiB"],
    [...processes.map(({ name, rss, pss }) => [name, rss, pss]), ["all", sum("rss"), sum("pss")]],
  );
  return { failed, vehicleWorkers: vehicleWorker, all: sum("rss"), writes };
}

/** `MINUTES` shortens it. */
const secondsByHand = () => Number(process.env.MINUTES ?? 15) * 60;
