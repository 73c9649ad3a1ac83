import { writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, it } from "vitest";
import { silentReport } from "@/lib/platform/process/task-report";
import { createSnapshotLoader } from "@/lib/policy/snapshot/load-snapshot";
import { syncLanguages, syncRpcSpecification } from "@/lib/records/rpc-specification/commands";
import { loadSpecification, type DownloadOptions } from "@/lib/records/rpc-specification/load";
import { AuditEventModel } from "@/models/audit-event";
import { LanguageModel } from "@/models/language";
import { RpcSpecificationModel } from "@/models/rpc-specification";
import { raisesRevision } from "@/test/support/applications";
import { testContext, withEmptyDatabase } from "@/test/support/database";
import { endStubs, type HttpStub, serveHttp, type StubAnswer } from "@/test/support/http-stub";
import { anRpcSpecification } from "@/test/support/rpc-specification";
import { temporaryFolder } from "@/test/support/temporary-folder";

withEmptyDatabase();
endStubs();

let stub: HttpStub;
let answer: StubAnswer;
beforeEach(async () => {
  answer = { body: anRpcSpecification() };
  stub = await serveHttp(() => answer);
});

const readLanguages = (options: DownloadOptions = {}) => syncLanguages(testContext, stub.url, silentReport, options);
const readSpecification = (options: DownloadOptions = {}) =>
  syncRpcSpecification(testContext, stub.url, silentReport, options);
const languages = async () => (await LanguageModel.find().sort({ _id: 1 }).lean()).map(({ languageId }) => languageId);
const specifications = () => RpcSpecificationModel.find().sort({ _id: 1 }).lean();
const version = (text: string, inside = "") => ({
  body: anRpcSpecification(inside, `version="${text}" minVersion="1.0" date="2030-01-01"`),
});

const unusable: readonly (readonly [string, StubAnswer, string])[] = [
  ["a status that is no success", { status: 404, body: anRpcSpecification() }, "status 404"],
  ["a web page", { body: "<html><br></html>" }, "not well-formed"],
  ["a dropped connection", (_, response) => response.destroy(), "could not be downloaded"],
];

it("3.7: adds unknown languages in lower case and removes none; writes nothing when all are known", async () => {
  answer = { body: anRpcSpecification().replace("EN-US", "DE-DE") };
  expect(await readLanguages()).toEqual({ added: 2 });
  answer = { body: anRpcSpecification() };
  expect(await raisesRevision(async () => expect(await readLanguages()).toEqual({ added: 1 }))).toBe(true);
  expect(await languages()).toEqual(["de-de", "xx-yy", "en-us"]);
  expect(await AuditEventModel.find().sort({ _id: 1 }).lean()).toMatchObject([
    { action: "languages.update", after: { added: ["de-de", "xx-yy"] } },
    { action: "languages.update", after: { added: ["en-us"] } },
  ]);
  expect(await raisesRevision(async () => expect(await readLanguages()).toEqual({ added: 0 }))).toBe(false);
  expect(await AuditEventModel.countDocuments()).toBe(2);
});

it.each(unusable)("3.7: neither the language list nor the store takes anything of %s", async (_, given, sentence) => {
  await readLanguages();
  answer = given;
  const refused = { name: "SpecificationRefused", message: expect.stringContaining(sentence) };
  for (const read of [readLanguages, readSpecification])
    expect(await raisesRevision(() => expect(read()).rejects.toMatchObject(refused))).toBe(false);
  expect(await languages()).toEqual(["en-us", "xx-yy"]);
  expect(await specifications()).toEqual([]);
});

describe("3.7: the specification store", () => {
  it("stores a specification with its parts, and reaches the compiled policy's snapshot", async () => {
    const loader = createSnapshotLoader();
    expect((await loader.load()).rpcSpec).toBeNull();
    const phases: string[] = [];
    const report = { ...silentReport, phase: (text: string) => void phases.push(text) };
    expect(await syncRpcSpecification(testContext, stub.url, report)).toEqual({ stored: true });
    expect(phases).toEqual(["loading the RPC specification", "reading it", "storing it"]);
    expect(await specifications()).toMatchObject([
      {
        _id: 1,
        version: "9.0.0",
        minVersion: "1.0",
        date: "2030-01-01",
        enums: [{ name: "Language", since: "1.0", elements: [{ name: "EN-US", internalName: "EN_US" }, {}] }],
        structs: [{ name: "Image", params: [{ name: "value", type: "String", mandatory: true, maxlength: 255 }] }],
        functions: [{ name: "GetVehicleData", functionId: "GetVehicleDataID", messageType: "response", params: [{}] }],
      },
    ]);
    for (const document of await RpcSpecificationModel.find()) await document.validate();
    expect((await loader.load()).rpcSpec?.functions).toMatchObject([{ name: "GetVehicleData" }]);
    expect(await AuditEventModel.find().lean()).toMatchObject([
      { action: "rpc-specification.store", before: { version: null }, after: { version: "9.0.0", enums: 1 } },
    ]);
  });

  it("stores every version but that of the newest stored one, also an earlier one that was stored before", async () => {
    for (const text of ["9.0.0", "9.1.0", "9.0.0"]) {
      answer = version(text);
      await readSpecification();
    }
    answer = version("9.0.0", '<enum name="More"/>');
    expect(await raisesRevision(async () => expect(await readSpecification()).toEqual({ stored: false }))).toBe(false);
    expect((await specifications()).map(({ _id, version: stored }) => [_id, stored])).toEqual([
      [2, "9.1.0"],
      [3, "9.0.0"],
    ]);
    expect((await createSnapshotLoader().load()).rpcSpec?.version).toBe("9.0.0");
  });
});

it("3.7: both come from a file without any request; one that is too long or gone is refused", async () => {
  const folder = temporaryFolder();
  const file = path.join(folder, "MOBILE_API.xml");
  const readBoth = async () => [
    await syncLanguages(testContext, file, silentReport),
    await syncRpcSpecification(testContext, file, silentReport),
  ];
  await expect(readBoth()).rejects.toThrow("RPC_SPEC_URL names a file that cannot be read");
  writeFileSync(file, anRpcSpecification());
  expect(await readBoth()).toEqual([{ added: 2 }, { stored: true }]);
  expect([await languages(), stub.seen]).toEqual([["en-us", "xx-yy"], []]);
  writeFileSync(file, " ".repeat(16 * 1024 * 1024 + 1));
  await expect(readBoth()).rejects.toThrow("longer than 16 MiB");
});

describe("3.7: the download", () => {
  it("sends nothing but the question, and follows redirections", async () => {
    const other = await serveHttp(() => ({ status: 302, headers: { Location: `${stub.url}/spec.xml` } }));
    expect(await loadSpecification(other.url)).toBe(anRpcSpecification());
    expect(stub.seen[0]?.path).toBe("/spec.xml");
    expect(Object.keys(stub.seen[0]?.headers ?? {}).join()).not.toContain("key");
  });

  it.each(["file:///etc/passwd", "data:text/xml,<a/>", "ftp://localhost/", "nothing"])("reads no %s", async (url) => {
    await expect(loadSpecification(url)).rejects.toThrow("not an http or https address");
  });

  it("follows no redirection to something else than http", async () => {
    answer = { status: 302, headers: { Location: "data:text/xml,<a/>" } };
    await expect(loadSpecification(stub.url)).rejects.toThrow("could not be downloaded");
  });

  it("ends at the deadline, before and in the body", async () => {
    answer = () => undefined;
    await expect(readSpecification({ deadlineMs: 20 })).rejects.toThrow("not downloaded within 0.02 s");
    answer = (_, response) => {
      response.write("<interface>");
    };
    await expect(readLanguages({ deadlineMs: 100 })).rejects.toThrow("not downloaded within 0.1 s");
  });

  it("ends when the process stops", async () => {
    answer = () => undefined;
    await expect(readSpecification({ stop: AbortSignal.abort() })).rejects.toMatchObject({
      name: "SpecificationRefused",
    });
  });

  it("takes 16 MiB and no more, also of a compressed answer", async () => {
    const fill = (bytes: number) => {
      const text = anRpcSpecification("<!---->");
      return text.replace("<!---->", `<!--${"x".repeat(bytes - text.length)}-->`);
    };
    const max = 16 * 1024 * 1024;
    answer = { body: fill(max) };
    expect((await loadSpecification(stub.url)).length).toBe(max);
    const tooLong = gzipSync(fill(max + 1));
    answer = (_, response) => {
      response.writeHead(200, { "Content-Encoding": "gzip" });
      response.end(tooLong);
    };
    await expect(loadSpecification(stub.url)).rejects.toThrow("longer than 16 MiB");
  });
});
