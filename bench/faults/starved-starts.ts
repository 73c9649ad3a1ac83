import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { stopProcess } from "@/test/support/processes";
import { copyOfData, endLater, startServer, type Row } from "@/bench/faults/stage";

/** Number of busy programs. */
const load = 40;

/** Starts the server under a load that leaves it a twentieth of the machine. No working process may be killed. */
export async function measureStarvedStarts({ report, isShort }: Row) {
  const starts = isShort ? 1 : 10;
  const dataDir = await copyOfData(200);
  const busy = Array.from({ length: load }, () => spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }));
  endLater(() => Promise.all(busy.map((one) => stopProcess(one, "SIGKILL"))));
  const times: number[] = [];
  for (let round = 0; round < starts; round++) {
    const from = performance.now();
    const server = await startServer({ dataDir });
    times.push((performance.now() - from) / 1000);
    console.error(`${new Date().toISOString()} start ${round + 1}: ${Math.round(times.at(-1) ?? 0)} s`);
    await server.stop();
  }
  await Promise.all(busy.map((one) => stopProcess(one, "SIGKILL")));
  const log = readFileSync(path.join(dataDir, "server.log"), "utf8");
  const ended = log.split("\n").filter((line) => line.includes("started again")).length;
  report.must(`${starts} starts beside a load of ${load}: processes ended and started again`, ended, "≤", 0);
  report.table(
    `Starts beside ${load} programs that take all the time they get`,
    ["starts", "until the console answers, fastest s", "slowest s", "processes ended"],
    [[starts, Math.min(...times), Math.max(...times), ended]],
  );
  return { ended };
}
