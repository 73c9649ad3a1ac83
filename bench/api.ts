import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import type { Measured } from "@/test/support/processes";
import { groupBody, groupId, send, textOf, timed } from "@/bench/calls";
import { median } from "@/bench/load";
import type { Report } from "@/bench/report";
import { distinctUuid } from "@/bench/distinct-apps";

/** Creates a temporary certificate authority for measurements, in the folder that the settings use. */
export function temporaryAuthority(): { env: Readonly<Record<string, string>>; remove(): void } {
  const [key, certificate] = [`bench-${process.pid}-key.pem`, `bench-${process.pid}-certificate.pem`];
  const paths = [key, certificate].map((name) => `customizable/ca/${name}`);
  const words = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=Bench authority"];
  const made = spawnSync("openssl", [...words, "-keyout", paths[0] ?? "", "-out", paths[1] ?? ""]);
  if (made.status !== 0) throw new Error("openssl could not make the authority");
  const env = {
    CA_PRIVATE_KEY_FILENAME: key,
    CA_CERTIFICATE_FILENAME: certificate,
    CERTIFICATE_PASSPHRASE: "bench",
    CERTIFICATE_COMMON_NAME: "Bench",
  };
  return { env, remove: () => paths.forEach((path) => rmSync(path, { force: true })) };
}

export interface ApiBench {
  readonly report: Report;
  /** Servers by their number of stored apps. */
  readonly servers: ReadonlyMap<number, Measured>;
  readonly rounds: number;
}

/** Measures lists, saving and publishing a group, and an app's certificate. */
export async function measureApi({ report, servers, rounds }: ApiBench): Promise<void> {
  const counts = [...servers.keys()];
  const first = new Map(counts.map((count) => [count, [] as number[]]));
  const full = new Map(counts.map((count) => [count, [] as number[]]));
  for (let round = 0; round < rounds * 10 + 3; round++) {
    for (const [count, { origin }] of servers) {
      const [, time] = await timed(() => textOf(fetch(`${origin}/api/v1/applications?limit=50`)));
      // The first rounds warm up.
      if (round >= 3) first.get(count)?.push(time);
    }
  }
  for (let round = 0; round < rounds; round++) {
    for (const [count, { origin }] of servers)
      full.get(count)?.push((await timed(() => drain(`${origin}/api/v1/applications`)))[1]);
  }
  const [fewest, max] = [Math.min(...counts), Math.max(...counts)];
  const typical = (times: ReadonlyMap<number, number[]>, count: number) => median(times.get(count) ?? []);
  report.table(
    "List of applications, milliseconds",
    ["stored apps", "first page of 50", "full list"],
    counts.map((count) => [count, typical(first, count), typical(full, count)]),
  );
  report.must(`first page of ${max} apps against ${fewest}`, typical(first, max) / typical(first, fewest), "≤", 2, "×");
  report.must(`full list of ${max} apps`, typical(full, max) / 1000, "≤", 1, "s");
  const largest = servers.get(max);
  if (!largest) return;
  report.must(`memory growth while ${max} apps are listed in full`, await growthDuring(largest), "≤", 150, "MiB");
  const rows = [
    ["save a functional group and publish it", median(await repeat(rounds * 3, () => savePromote(largest)))],
    ["certificate/get", median(await certificateTimes(largest, rounds * 10))],
  ];
  report.table("Writes and certificates, milliseconds", ["what", "median"], rows);
}

async function growthDuring(server: Measured): Promise<number> {
  const before = server.rss();
  let highest = before;
  const watch = setInterval(() => {
    highest = Math.max(highest, server.rss());
  }, 20);
  await drain(`${server.origin}/api/v1/applications`);
  clearInterval(watch);
  return highest - before;
}

let saved = 0;
async function savePromote({ origin }: Measured): Promise<void> {
  const name = `Bench group ${process.pid}-${++saved % 5}`;
  await send(`${origin}/api/v1/groups`, groupBody(name, { description: `Number ${saved}` }));
  await send(`${origin}/api/v1/groups/promote`, { id: await groupId(origin, name) });
}

async function certificateTimes({ origin }: Measured, times: number): Promise<number[]> {
  const uuid = distinctUuid(0);
  const clientKey = await send(`${origin}/api/v1/security/private`, {});
  const options = { clientKey, serialNumber: uuid };
  const { certificate } = await send<{ certificate: string }>(`${origin}/api/v1/security/certificate`, { options });
  await send(`${origin}/api/v1/applications/certificate`, { options: { app_uuid: uuid, clientKey, certificate } });
  return repeat(times, () => textOf(fetch(`${origin}/api/v1/applications/certificate/get?appId=${uuid}`)));
}

async function repeat(times: number, work: () => Promise<unknown>): Promise<number[]> {
  const measured: number[] = [];
  for (let at = 0; at < times; at++) measured.push((await timed(work))[1]);
  return measured;
}

/** Reads a response without keeping it. */
async function drain(url: string): Promise<void> {
  const response = await fetch(url);
  if (!response.ok || !response.body) throw new Error(`${url} answered ${response.status}`);
  await response.body.pipeTo(new WritableStream());
}
