import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { stopProcess, type Measured } from "@/test/support/processes";
import { freePort } from "@/test/support/server";
import { getData } from "@/bench/calls";
import { startOurs } from "@/bench/targets";

const keys = { SHAID_PUBLIC_KEY: "bench-public", SHAID_SECRET_KEY: "bench-secret" };

export interface DirectoryProcess {
  readonly child: ChildProcess;
  readonly port: number;
  readonly env: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
}

export async function startDirectory(apps: number, port?: number): Promise<DirectoryProcess> {
  const listenAt = port ?? (await freePort());
  const args = [String(apps), String(listenAt), keys.SHAID_PUBLIC_KEY, keys.SHAID_SECRET_KEY];
  const child = fork("bench/directory-process.ts", args, { execArgv: ["--import", "tsx"] });
  const [{ baseUrl, rpcSpecUrl }] = (await once(child, "message")) as [{ baseUrl: string; rpcSpecUrl: string }];
  const env = { ...keys, SHAID_URL: baseUrl, RPC_SPEC_URL: rpcSpecUrl };
  return { child, port: listenAt, env, stop: () => stopProcess(child, "SIGTERM") };
}

export async function startServer({ env }: DirectoryProcess): Promise<{ server: Measured; end: () => Promise<void> }> {
  const folder = mkdtempSync(path.join(tmpdir(), "bench-directory-"));
  const server = await startOurs(folder, { ...env, AUTO_APPROVE_ALL_APPS: "true", LOG_LEVEL: "warn" });
  const end = async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { server, end };
}

/** Tracks the highest memory use. */
export function watchMemory(server: Measured): { end: () => number } {
  let highest = server.rss();
  const timer = setInterval(() => {
    highest = Math.max(highest, server.rss());
  }, 50);
  return {
    end: () => {
      clearInterval(timer);
      return highest;
    },
  };
}

interface Task {
  readonly name: string;
  readonly state: string;
  readonly started_ts: string;
  readonly finished_ts: string;
  readonly last_error: string | null;
}

/** By server: end of the last sync that a caller waited for. */
const finished = new Map<Measured, string>();

/** Waits for the end of the next sync. Returns its duration in seconds, as measured by the server. */
export async function syncEnded(server: Measured): Promise<number> {
  for (;;) {
    // Undefined until the console runs.
    const about = getData<{ directory?: { tasks: Task[] | null } }>(`${server.origin}/api/v1/about`);
    const { directory } = await about.catch(() => ({ directory: null }));
    const task = directory?.tasks?.find(({ name }) => name === "applications");
    if (task?.state === "failed") throw new Error(`the sync failed: ${task.last_error ?? ""}`);
    if (task?.state === "succeeded" && task.finished_ts !== finished.get(server)) {
      finished.set(server, task.finished_ts);
      return (Date.parse(task.finished_ts) - Date.parse(task.started_ts)) / 1000;
    }
    await wait(50);
  }
}

export async function startSync({ origin }: Measured): Promise<void> {
  const response = await fetch(`${origin}/api/v1/ui/sync`, { method: "POST" });
  if (!response.ok) throw new Error(`the sync was refused: ${response.status}`);
}

export async function storedApps(server: Measured): Promise<number> {
  return (await applications(server)).length;
}

export async function applications(server: Measured, query = ""): Promise<readonly { readonly uuid: string }[]> {
  return (await getData<{ applications: { uuid: string }[] }>(`${server.origin}/api/v1/applications?${query}`))
    .applications;
}

export async function revisionOf({ origin }: Measured): Promise<number> {
  return ((await (await fetch(`${origin}/health/ready`)).json()) as { revision: number }).revision;
}
