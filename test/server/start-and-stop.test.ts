import { statSync } from "node:fs";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { emptyDataDir, freePort, runServer, startServer, type TestServer } from "@/test/support/server";
import { startStandaloneDatabase } from "@/test/support/standalone-database";
import { requestTable, eventually, sampleRequest } from "@/test/support/vehicle";

describe("npm start", () => {
  let server: TestServer;
  let before: Awaited<ReturnType<typeof requestTable>>;
  const seen = new Set<number | "refused">();
  beforeAll(async () => {
    server = await startServer({ dataDir: emptyDataDir(), readyPath: null });
    const ask = () =>
      fetch(`${server.origin}/health/ready`).then(
        ({ status }) => status,
        () => "refused" as const,
      );
    await eventually(async () => {
      const answer = await ask();
      seen.add(answer);
      return answer === 200;
    });
    await eventually(() => Promise.resolve(server.log().some(({ msg }) => msg === "listening")));
  });
  afterAll(() => server.stop());

  it("answers a head unit from the first data, and says that the database is the embedded one", async () => {
    const { status, table } = await requestTable(server.origin);
    expect(status).toBe(200);
    expect(Object.keys(table.functional_groupings)).toHaveLength(26);
    const lines = server.log();
    expect(lines.find(({ msg }) => msg === "listening")).toMatchObject({ url: server.origin });
    expect(lines.find(({ msg }) => msg.startsWith("embedded database"))?.msg).toContain("not for production");
  });

  it("F4: opens its port only when it has a policy, also at its first start", () =>
    expect([...seen]).toEqual(["refused", 200]));

  it("answers a compressed body as it answers a plain one (api.md 0.2)", async () => {
    const response = await fetch(`${server.origin}/api/v1/production/policy`, {
      method: "POST",
      headers: { "content-type": "application/json", "content-encoding": "gzip" },
      body: gzipSync(sampleRequest("10-apps")),
    });
    expect(response.status).toBe(200);
    const plain = await requestTable(server.origin, { body: sampleRequest("10-apps") });
    expect((await response.json()).data[0].policy_table).toEqual(plain.table);
  });

  it("refuses a second server on the same DATA_DIR with one clear sentence", async () => {
    const second = await runServer({ DATA_DIR: server.dataDir, POLICY_SERVER_PORT: String(await freePort()) });
    expect(second.status).toBe(1);
    expect(second.output).toMatch(/in use|used by another process/i);
    expect((await requestTable(server.origin)).status).toBe(200);
  });

  it("names the port when it is taken", async () => {
    const second = await runServer({ DATA_DIR: emptyDataDir(), POLICY_SERVER_PORT: String(server.port) });
    expect(second.status).toBe(1);
    expect(second.output).toContain(`Port ${server.port} is taken`);
  });

  it("SIGTERM: finishes the request under way, accepts no other, and exits with 0", async () => {
    const body = sampleRequest("10-apps");
    before = await requestTable(server.origin, { body });
    const socket = connect(server.port, "127.0.0.1");
    let answer = "";
    socket.on("data", (chunk) => (answer += chunk.toString()));
    const closed = new Promise((resolve) => socket.once("close", resolve));
    const head = "POST /api/v1/production/policy HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\n";
    socket.write(`${head}Expect: 100-continue\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`);
    // Now it has read the head.
    await eventually(() => Promise.resolve(answer.includes("100 Continue")));
    socket.write(body.slice(0, 1000));
    const stopped = server.stop();
    await eventually(() =>
      fetch(`${server.origin}/health`).then(
        () => false,
        () => true,
      ),
    );
    socket.write(body.slice(1000));
    await closed;
    await stopped;
    expect(answer).toContain("HTTP/1.1 200 OK");
    expect(server.child.exitCode).toBe(0);
  });

  it("keeps its data and does not build again at a second start", async () => {
    const builtAt = statSync("dist/stamp").mtimeMs;
    const second = await startServer({ dataDir: server.dataDir });
    onTestFinished(() => second.stop());
    const after = await requestTable(second.origin, { body: sampleRequest("10-apps") });
    expect(statSync("dist/stamp").mtimeMs).toBe(builtAt);
    expect(after.table.app_policies).toEqual(before.table.app_policies);
    expect(server.log().filter(({ msg }) => msg === "first data stored")).toHaveLength(1);
    expect(second.log().filter(({ msg }) => msg === "first data stored")).toHaveLength(0);
  });
});

describe("starts of their own", () => {
  it("E4: reports every configuration error with the setting's name and no value", async () => {
    const { status, output } = await runServer({
      DATA_DIR: emptyDataDir(),
      POLICY_SERVER_PORT: "many",
      AUTH_TYPE: "basic",
      SESSION_SECRET: "too-short-secret",
    });
    expect(status).toBe(1);
    for (const name of ["POLICY_SERVER_PORT", "BASIC_AUTH_PASSWORD", "SESSION_SECRET"]) expect(output).toContain(name);
    expect(output).not.toContain("too-short-secret");
  });

  it("B2: refuses a standalone MongoDB with a sentence that says what to do", async () => {
    const standalone = await startStandaloneDatabase();
    const { status, output } = await runServer({
      DATA_DIR: emptyDataDir(),
      POLICY_SERVER_PORT: String(await freePort()),
      MONGODB_URI: standalone.uri,
    });
    await standalone.close();
    expect(status).toBe(1);
    expect(output).toContain("rs.initiate()");
  });
});
