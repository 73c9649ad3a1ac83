import { afterEach, beforeEach, vi } from "vitest";
import { createDirectoryClient, type DirectoryClient } from "@/lib/apps/directory/client/client";
import { startFaultyDirectory, type FaultyDirectory } from "@/test/support/faulty-directory/start";

type ClientOptions = Parameters<typeof createDirectoryClient>[1];

export interface TestDirectory extends Pick<
  FaultyDirectory,
  "apps" | "faults" | "received" | "approvals" | "endpoint"
> {
  readonly uuidAt: (place: number) => string;
  readonly versionAt: (place: number) => number;
  /** A client that repeats nothing unless the options say so. */
  client(options?: ClientOptions): DirectoryClient;
  /** Has something stopped after the test, when nothing hangs any more. */
  stopping<T extends { stop(): Promise<unknown> }>(worker: T): T;
}

export function withFaultyDirectory(apps: number): TestDirectory {
  let current: FaultyDirectory;
  const workers: { stop(): Promise<unknown> }[] = [];
  beforeEach(async () => {
    current = await startFaultyDirectory({ apps });
  });
  afterEach(async () => {
    current.faults.clear();
    current.faults.release("drop");
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    await current.close();
    vi.restoreAllMocks();
  });
  return {
    get apps() {
      return current.apps;
    },
    get faults() {
      return current.faults;
    },
    get received() {
      return current.received;
    },
    get approvals() {
      return current.approvals;
    },
    get endpoint() {
      return current.endpoint;
    },
    uuidAt: (place) => current.apps.at(place).uuid,
    versionAt: (place) => current.apps.at(place).version_id ?? 0,
    client: (options = {}) => createDirectoryClient(current.endpoint, { repeatAfterMs: [], ...options }),
    stopping: (worker) => {
      workers.push(worker);
      return worker;
    },
  };
}
