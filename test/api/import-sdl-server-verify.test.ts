import { readFileSync } from "node:fs";
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { ApplicationModel } from "@/models/application";
import { ModuleConfigModel } from "@/models/module-config";
import { createTestAuthority, testPassphrase } from "@/test/support/authority";
import { emptyDatabase } from "@/test/support/database";
import { commandHere } from "@/test/support/migration";
import { behind } from "@/test/support/stored-records";
import { postgresPrograms } from "@/test/support/postgres";
import { defaultInstallation, richInstallation } from "@/test/support/sdl-server/installation";
import { type Rows, toSql } from "@/test/support/sdl-server/rows";
import { type SdlServerOptions, startSdlServer } from "@/test/support/sdl-server/server";
import { generationEnv } from "@/test/support/settings";
import { withSdlDatabase } from "@/test/support/with-sdl-database";

const uuidOf = (index: number) => `${String(index).padStart(8, "0")}-0000-4000-8000-000000000000`;
const equal = "40 apps compared: none may do more, none may do less";

// Debian's package `postgresql`.
describe.skipIf(postgresPrograms === null)("X8: verify-sdl-server", () => {
  let rows: Rows;
  const { move } = withSdlDatabase(async () => {
    rows = await richInstallation();
    return toSql(rows);
  });
  beforeAll(async () => expect((await move()).code).toBe(0));

  async function serve(options: Omit<SdlServerOptions, "rows"> = {}) {
    const server = await startSdlServer({ rows, ...options });
    onTestFinished(() => server.stop());
    return server;
  }
  async function prove(change?: SdlServerOptions["change"]) {
    const { url } = await serve({ change });
    const { code, out } = await commandHere(["verify-sdl-server", url, "--json"]);
    const { sentence, changed, differences } = JSON.parse(out);
    const open = differences.filter(({ reason }: any) => reason === null);
    return { code, sentence, changed, open: open.map(({ path: member, tables }: any) => [member, tables.length]) };
  }
  /** The newest accepted version of an app, changed in the loaded data by hand; it is back at the end of the test. */
  async function changeByHand(index: number, change: object) {
    const filter = { uuid: uuidOf(index), approvalStatus: "ACCEPTED" };
    const [version] = await behind(ApplicationModel).find(filter).sort({ _id: -1 }).toArray();
    await behind(ApplicationModel).updateOne({ _id: version._id }, change);
    onTestFinished(async () => void (await behind(ApplicationModel).replaceOne({ _id: version._id }, version)));
  }

  it("tells that nothing differs, for long and short ids in both environments, and what is known", async () => {
    const server = await serve();
    const { code, out } = await commandHere(["verify-sdl-server", server.url]);
    expect([code, out.split("\n", 1)]).toEqual([0, [equal]]);
    expect(out).toMatch(/^\d+ members differ, each for a known reason$/m);
    expect(out).toMatch(
      /\.params and \d+ more of the kind +\[\] +absent +the same to cars: only a Struct has params$/m,
    );
    expect(out).toMatch(/^ {2}all +vehicle_data\.schema_version .*each server tells when/m);
    expect(server.asked.toSorted()).toEqual([
      ...["POST /api/v1/production/policy", "POST /api/v1/production/policy"],
      ...["POST /api/v1/staging/policy", "POST /api/v1/staging/policy"],
    ]);
  });

  it("M2: finds an app whose grant is removed from the loaded data by hand", async () => {
    await changeByHand(5, { $set: { groupGrants: [] } });
    const { code, sentence, changed, open } = await prove();
    expect([code, sentence]).toEqual([1, "40 apps compared: none may do more, 1 may do less"]);
    const lost = expect.arrayContaining(["Show at LIMITED, NONE", "Speak at BACKGROUND, FULL"]);
    const changes = changed.map(({ tables, ...change }: any) => ({ ...change, environment: tables[0].split(",")[0] }));
    const ofBoth = { app: uuidOf(5), more: [], less: lost, isExplained: false };
    expect(changes).toEqual(["staging", "production"].map((environment) => ({ ...ofBoth, environment })));
    expect(open).toContainEqual([`app_policies.${uuidOf(5)}.groups`, 4]);
  });

  it("M2: finds a missing certificate, and takes another container of the same pair for equal", async () => {
    const authority = createTestAuthority();
    const pair = authority.aPair();
    const { buildPkcs12 } = await import("@/lib/certificates/worker/pkcs12");
    const container = buildPkcs12(pair.certificate, pair.privateKey, testPassphrase);
    const before = await ModuleConfigModel.find().lean();
    onTestFinished(async () => {
      for (const { _id, certificate, privateKey } of before)
        await ModuleConfigModel.updateOne({ _id }, { $set: { certificate, privateKey } });
    });
    const ask = async (certificate: string, environment: Record<string, string> = {}) => {
      const { url } = await serve({ certificate });
      const { code, out } = await commandHere(["verify-sdl-server", url], environment);
      expect(out).not.toContain(pair.privateKey.split("\n")[1]);
      return [code, /module_config\.certificate.*/.exec(out)?.[0] ?? null];
    };
    const found = expect.stringMatching(/^module_config\.certificate +"container, .*" +absent +no known reason$/);
    const generating = { ...generationEnv(testPassphrase), MODULE_CONFIG_ENCRYPT_CERT_BUNDLE: "true" };
    expect(await ask(container)).toEqual([1, expect.stringMatching(/not readable.* absent +no known reason$/)]);
    await ModuleConfigModel.updateMany({}, { $set: { certificate: null, privateKey: null } });
    expect(await ask(container, generating)).toEqual([1, found]);
    await ModuleConfigModel.updateMany({}, { $set: pair });
    expect(await ask(container, generating)).toEqual([0, null]);
    const other = authority.aPair();
    expect((await ask(`${other.certificate}\n${other.privateKey}`, generating))[0]).toBe(1);
  });

  it("ends with the code of the last proof when it is made again and again", async () => {
    let isWrong = true;
    const { url } = await serve({
      change: ({ module_config: config }) => {
        if (isWrong) config.exchange_after_x_days = 77;
      },
    });
    const waits: number[] = [];
    const wait = (ms: number) => {
      waits.push(ms);
      isWrong = waits.length > 1;
      return Promise.resolve(waits.length < 2);
    };
    const { code, out } = await commandHere(["verify-sdl-server", url, "--every", "1h"], {}, wait);
    expect([code, waits]).toEqual([0, [3_600_000, 3_600_000]]);
    expect(out.match(/^1970-01-01T00:00:00\.000Z\n40 apps compared/gm)).toHaveLength(2);
    expect(out).toContain("module_config.exchange_after_x_days");
    const away = await commandHere(["verify-sdl-server", "http://127.0.0.1:9", "--every", "30m"]);
    expect([away.code, away.out]).toEqual([1, expect.stringContaining("cannot be reached")]);
    expect((await commandHere(["verify-sdl-server", url, "--every", "never"])).code).toBe(2);
  });
});

describe.skipIf(postgresPrograms === null)("X8: import-sdl-server with a default installation", () => {
  let rows: Rows;
  const { postgres, move, reportFile, readReport } = withSdlDatabase(async () => {
    rows = await defaultInstallation();
    return toSql(rows);
  });
  beforeEach(() => emptyDatabase());
  async function serve() {
    const server = await startSdlServer({ rows });
    onTestFinished(() => server.stop());
    return server.url;
  }

  it("M3: ends with nothing lost and 0", async () => {
    const { code, out } = await move("--verify", await serve(), "--report", reportFile);
    expect(out).toContain("\nNothing lost\n");
    expect(out).toContain("0 apps compared: none may do more, none may do less\n");
    expect(out).not.toContain("no known reason");
    expect(code).toBe(0);
    const { losses, verification } = readReport();
    expect(losses).toEqual(Array(19).fill(expect.objectContaining({ isUnused: true, at: "languages.es-en" })));
    const paths = verification.differences.map(({ path: member }: any) => member);
    expect(paths).toContain("functional_groupings.Emergency-1.rpcs.SubscribeVehicleData.parameters");
  });

  it("M3: knows that the other server doesn't know the ids of blocked apps without a stored version", async () => {
    const uuid = uuidOf(1);
    await postgres.query(
      `INSERT INTO app_oem_enablements (app_uuid, key, created_ts) VALUES ('${uuid}', 'blacklist', '2024-01-01')`,
    );
    const { code, out } = await move("--verify", await serve());
    expect(out).toContain("1 app compared: none may do more, 1 may do less, for known reasons");
    expect(out).toMatch(new RegExp(`app_policies\\.${uuid} +"default" +null +blocked, and no version`));
    expect(code).toBe(0);
  });

  it("M6: a comparison that fails leaves the data with their report, and can be made later", async () => {
    const gone = "http://user:secret@127.0.0.1:9";
    const failed = await move("--verify", gone, "--report", reportFile);
    expect([failed.code, failed.out]).toEqual([1, expect.stringMatching(/^Imported:\n/)]);
    expect(failed.out).toMatch(
      /The data is stored, but the tables could not be compared: .* cannot be reached: .*\. Try again:/,
    );
    expect(failed.out).not.toContain("secret");
    const written = readFileSync(reportFile, "utf8");
    const { losses, verification, state, error } = JSON.parse(written);
    expect([losses.length > 0, verification, state]).toEqual([true, null, "stored"]);
    expect(error).toContain("cannot be reached");
    expect(written).not.toContain("secret");
    const url = await serve();
    expect((await commandHere(["verify-sdl-server", gone, "--known", reportFile])).code).toBe(1);
    expect(readFileSync(reportFile, "utf8")).toBe(written);
    expect((await commandHere(["verify-sdl-server", url, "--known", reportFile])).code).toBe(0);
    expect((await commandHere(["verify-sdl-server", url, "--known", "no-such-file"])).code).toBe(1);
  });

  it("refuses to prove anything of an empty database: 1", async () => {
    const { code, err } = await commandHere(["verify-sdl-server", await serve()]);
    expect([code, err]).toEqual([1, expect.stringContaining("is empty: there is nothing to compare")]);
  });
});
