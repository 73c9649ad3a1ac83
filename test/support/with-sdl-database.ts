import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll } from "vitest";
import { withDatabase } from "@/test/support/database";
import { moveHere } from "@/test/support/migration";
import { startSdlDatabase, type TestPostgres } from "@/test/support/postgres";

export function withSdlDatabase(rows: () => Promise<string | undefined> = () => Promise.resolve(undefined)) {
  withDatabase();
  const folder = path.join(tmpdir(), `policy-moving-${randomUUID()}`);
  const reportFile = path.join(folder, "report.json");
  let started: TestPostgres;
  beforeAll(async () => {
    mkdirSync(folder);
    started = await startSdlDatabase(await rows());
  });
  afterAll(async () => {
    await started.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const postgres: Omit<TestPostgres, "stop"> = {
    get url() {
      return started.url;
    },
    query: (sql) => started.query(sql),
  };
  return {
    ...{ postgres, folder, reportFile },
    readReport: () => JSON.parse(readFileSync(reportFile, "utf8")),
    move: (...args: readonly string[]) => moveHere(["--postgres", started.url, ...args]),
  };
}
