import { setTimeout as wait } from "node:timers/promises";
import { expect } from "vitest";
import { daily } from "@/test/support/extent";
import { startFaultyDirectory } from "@/test/support/faulty-directory/start";
import { hangMs } from "@/test/support/patience.mjs";
import { settingsOf, storedVersions, taskDone } from "@/test/support/directory-server";
import { startServer } from "@/test/support/server";
import { askForTable, eventually, sampleRequest } from "@/test/support/vehicle";

const apps = 1_000;
daily(
  "takes 1,000 notifications in while the directory hangs, works off all of them later, and serves vehicles",
  // Where the notifications take longer than a call may, apps of the first calls are read again only after 5 minutes and up
  // to 30 seconds (`directory.md` Q5).
  { timeout: hangMs(900) },
  async () => {
    const directory = await startFaultyDirectory({ apps });
    const server = await startServer({ env: settingsOf(directory) });
    try {
      await taskDone(server);
      const uuids = [...directory.apps.all()].map(({ uuid }) => uuid);
      const versions = new Map(uuids.map((uuid) => [uuid, directory.apps.change(uuid).version_id]));
      directory.faults.set({ kind: "hang" });

      const isOver = new AbortController();
      const vehicles = askUntil(server.origin, isOver.signal);
      const startedAt = performance.now();
      const statuses = await Promise.all(
        uuids.map((uuid) => notify(server.origin, uuid, directory.endpoint.publicKey)),
      );
      console.log(`${apps} notifications answered within ${Math.round(performance.now() - startedAt)} ms`);
      // More than a vehicle worker has places for are told to come back (`processes.md` N3), and are taken in then.
      expect(new Set(statuses)).toEqual(new Set([200]));
      // Still, or again after the time limit of a call: so none of the answers waited for it.
      await eventually(() => Promise.resolve(directory.faults.hanging > 0));

      directory.faults.clear();
      directory.faults.release();
      await eventually(async () => {
        const stored = await storedVersions(server);
        return uuids.every((uuid) => stored.get(uuid) === versions.get(uuid));
      });
      isOver.abort();
      const { answered, refused } = await vehicles;
      expect(refused).toBe(0);
      expect(answered).toBeGreaterThan(0);
    } finally {
      await server.stop();
      await directory.close();
    }
  },
);

/** Tells of an app, again after the time it is told to wait. */
async function notify(origin: string, uuid: string, key: string): Promise<number> {
  const { status, headers } = await fetch(`${origin}/api/v1/webhook`, {
    method: "POST",
    headers: { "content-type": "application/json", public_key: key },
    body: JSON.stringify({ entity: "application", action: "UPSERT", uuid }),
  });
  const again = headers.get("retry-after");
  if (status !== 503 || again === null) return status;
  await wait(Number(again) * 1000);
  return notify(origin, uuid, key);
}

/** A vehicle that asks again and again. */
async function askUntil(origin: string, over: AbortSignal): Promise<{ answered: number; refused: number }> {
  const counts = { answered: 0, refused: 0 };
  while (!over.aborted) {
    const { status } = await askForTable(origin, { body: sampleRequest("10-apps") });
    if (status === 200) counts.answered++;
    else counts.refused++;
  }
  return counts;
}
