import { once } from "node:events";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ApplicationFlagsModel } from "@/models/application-flags";
import { emptyDatabase, withDatabase } from "@/test/support/database";
import { moveHere, tableFor } from "@/test/support/moving";
import { postgresPrograms, startSdlDatabase, type TestPostgres } from "@/test/support/postgres";
import { forgetSettings } from "@/test/support/settings";

// Debian's package `postgresql`.
describe.skipIf(postgresPrograms === null)("X8: import-sdl-server compares the tables of both servers", () => {
  withDatabase();
  forgetSettings();
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startSdlDatabase();
  });
  afterAll(() => postgres.stop());
  beforeEach(() => emptyDatabase());
  const move = (...args: string[]) => moveHere(["--postgres", postgres.url, ...args]);

  /** A server that answers what this one does, but for what `change` does to it. */
  async function verify(change: (policy: any, environment: string) => void) {
    await move();
    const uuids = (await ApplicationFlagsModel.find().sort({ _id: 1 }).lean()).map(({ uuid }) => uuid);
    const tables = { staging: await tableFor("staging", uuids), production: await tableFor("production", uuids) };
    await emptyDatabase();
    const server = createServer((request, response) => {
      void json(request).then((body: any) => {
        expect(Object.keys(body.policy_table.app_policies).toSorted()).toEqual(uuids.toSorted());
        const environment = request.url?.includes("staging") ? "staging" : "production";
        const policy = structuredClone(tables[environment]);
        change(policy, environment);
        response.end(JSON.stringify({ data: [{ policy_table: policy }] }));
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    const outcome = await move("--verify", `http://127.0.0.1:${port}`);
    server.close();
    return outcome;
  }

  it("finds none where there is none, whatever the order", async () => {
    const { code, out } = await verify(({ functional_groupings: groups }) =>
      groups["Base-4"].rpcs.Show.hmi_levels.reverse(),
    );
    expect(out).toMatch(/2 tables of 5 apps compared: \d+ differences explained, 0 not/);
    expect(code).toBe(0);
  });

  it("explains what was lost on the way, and ends with 1 for what nobody can explain", async () => {
    const { code, out } = await verify((policy, environment) => {
      policy.consumer_friendly_messages.messages.Location.languages["es-en"] = { tts: "no language" };
      if (environment === "production") policy.functional_groupings.Partner.rpcs.ButtonPress.hmi_levels.push("NONE");
    });
    expect(code).toBe(1);
    expect(out).toMatch(
      /explained, 1 not\n {2}production: functional_groupings\.Partner\.rpcs\.ButtonPress\.hmi_levels differs/,
    );
  });
});
