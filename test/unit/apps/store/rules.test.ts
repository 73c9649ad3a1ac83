import { describe, expect, it } from "vitest";
import { compareVersions, isOffered, type StoreApp } from "@/lib/apps/store/rules";
import { storeQuery } from "@/lib/apps/store/schema";

const anApp = (partial: Partial<StoreApp> = {}): StoreApp => ({
  ...{ uuid: "app-1", name: "App", displayNames: [], description: null, hybridAppPreference: "BOTH", iconUrl: null },
  ...{ transportType: null, cloudTransportType: null, minRpcVersion: null, minProtocolVersion: null },
  ...{ packageUrl: null, sizeCompressedBytes: null, sizeDecompressedBytes: null, ...partial },
});

it.each([
  ["1.2.3", "1.2.3", 0],
  ["1", "1.0.0", 0],
  ["1.2", "1.2.0", 0],
  [null, "0.0.0", 0],
  ["", "0", 0],
  ["10.0.0", "9.9.9", 1],
  ["1.10", "1.9", 1],
  ["1.0.1", "1", 1],
  ["001.2", "1.2", 0],
  ["x.1", "0.1", 0],
  ["2.0", "2.0.1", -1],
])("comparison of versions (7.1): %s against %s", (a, b, order) => {
  expect(Math.sign(compareVersions(a, b))).toBe(order);
  expect(Math.sign(compareVersions(b, a))).toBe(order === 0 ? 0 : -order);
});

describe("what a query is offered (7.1)", () => {
  it("is everything without filters, and an app without minimum always", () => {
    expect(isOffered(anApp({ minRpcVersion: "99.0.0" }), storeQuery.parse({}))).toBe(true);
    expect(isOffered(anApp(), storeQuery.parse({ min_rpc_version: "0", min_protocol_version: "0.0" }))).toBe(true);
  });

  it("ends at what the caller supports", () => {
    const app = anApp({ minRpcVersion: "7.1.0", minProtocolVersion: "5.2" });
    expect(isOffered(app, storeQuery.parse({ min_rpc_version: "7.1", min_protocol_version: "5.2" }))).toBe(true);
    expect(isOffered(app, storeQuery.parse({ min_rpc_version: "7.0.9" }))).toBe(false);
    expect(isOffered(app, storeQuery.parse({ min_rpc_version: "8", min_protocol_version: "5.1" }))).toBe(false);
  });

  it.each(["", "1.", ".1", "1.2.3.4", "a", "1.2.x", " 1", "1 "])("reads '%s' as absent or refuses it", (text) => {
    const parsed = storeQuery.safeParse({ min_rpc_version: text });
    expect(parsed.success ? parsed.data.min_rpc_version : "refused").toBe(text === "" ? undefined : "refused");
  });
});
