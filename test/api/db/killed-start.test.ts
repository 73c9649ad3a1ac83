import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startEmbeddedDatabase } from "@/test/support/embedded-database";
import { connect, disconnect } from "@/lib/platform/db/connection/connect";
import { readRevision } from "@/lib/platform/db/revision";
import { createSnapshotLoader } from "@/lib/policy/snapshot/load-snapshot";
import { saveFirstData } from "@/lib/exchange/seed/first-data";
import { steps } from "@/lib/exchange/seed/steps";
import { temporaryFolder } from "@/test/support/temporary-folder";
import { eventually } from "@/test/support/vehicle";
import { ConsumerMessageModel } from "@/models/consumer-message";
import { MigrationModel } from "@/models/database/migration";

const options = { root: process.cwd(), publicBaseUrl: "http://localhost:3000", withExampleApps: true };

it("B5: a start that is killed in the middle of a step leaves nothing of it, and the next one completes it", async () => {
  const dataDir = temporaryFolder();
  const starter = ["--conditions=react-server", "--import", "tsx", "test/support/seed-process.ts", dataDir, "5"];
  const child = spawn(process.execPath, starter, { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  await once(child, "exit");

  // Its database ends with it; until then the folder is taken.
  const database = await eventually(() =>
    startEmbeddedDatabase({ dataDir: join(dataDir, "database") }).catch(() => null),
  );
  onTestFinished(async () => {
    await disconnect();
    await database.close();
  });
  await connect({ uri: database.uri });
  expect(await ConsumerMessageModel.countDocuments()).toBe(0);
  expect(await MigrationModel.countDocuments()).toBe(4);
  expect(await saveFirstData(options)).toEqual(steps.slice(4).map(({ name }) => name));
  expect(await readRevision()).toBe(steps.length);
  const { messages, groups } = await createSnapshotLoader().load();
  expect([messages.production.length, groups.production.length]).toEqual([19, 26]);
  expect(messages.production.map(({ id }) => id)).toEqual(Array.from({ length: 19 }, (_, index) => index + 1));
});
