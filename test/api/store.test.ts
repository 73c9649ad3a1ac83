import { describe, expect, it } from "vitest";
import * as action from "@/app/api/v1/applications/action/route";
import * as production from "@/app/api/v1/applications/store/route";
import * as staging from "@/app/api/v1/applications/store/staging/route";
import { fetchQuery, send, setFlags, storeApp } from "@/test/support/applications";
import { withEmptyDatabase } from "@/test/support/database";
import { watchQueries } from "@/test/support/query-plans";

withEmptyDatabase();

const embedded = (values: Record<string, unknown> = {}) => ({ platform: "EMBEDDED", ...values });
const idsIn = async (query = "", handler = production.GET): Promise<string[]> =>
  (await fetchQuery(handler, query)).data.applications.map((app: any) => app.policyAppID);

describe("GET applications/store (7.1)", () => {
  it("has exactly the public members", async () => {
    await storeApp(
      "e3a1f1f0-6c0c-4b1e-8f0e-2d52c0a0b001",
      "ACCEPTED",
      embedded({
        name: "Lane Radio",
        displayNames: ["Lane Radio", "Lane"],
        description: "Radio in the dash",
        transportType: "webengine",
        cloudTransportType: "WS",
        cloudEndpoint: "wss://private.example.com",
        techEmail: "private@example.com",
        iconUrl: "https://cdn.example.com/lane.png",
        packageUrl: "https://bundles.example.com/9f2c.zip",
        sizeCompressedBytes: 184_320,
        sizeDecompressedBytes: 611_842,
      }),
    );
    expect(await fetchQuery(production.GET)).toStrictEqual({
      status: 200,
      message: null,
      data: {
        applications: [
          {
            name: "Lane Radio",
            nicknames: ["Lane Radio", "Lane"],
            description: "Radio in the dash",
            policyAppID: "e3a1f1f0-6c0c-4b1e-8f0e-2d52c0a0b001",
            enabled: true,
            transportType: "WS",
            hybridAppPreference: "BOTH",
            icon_url: "https://cdn.example.com/lane.png",
            package: {
              url: "https://bundles.example.com/9f2c.zip",
              size_compressed_bytes: 184_320,
              size_decompressed_bytes: 611_842,
            },
          },
        ],
      },
    });
  });

  it("has null where the record has nothing, and the stored preference", async () => {
    await storeApp("app-1", "ACCEPTED", embedded());
    await setFlags("app-1", { hybridAppPreference: "MOBILE" });
    const { data } = await fetchQuery(production.GET);
    expect(data.applications).toMatchObject([
      {
        description: null,
        transportType: null,
        hybridAppPreference: "MOBILE",
        icon_url: null,
        package: { url: null, size_compressed_bytes: null, size_decompressed_bytes: null },
      },
    ]);
  });

  it("takes per app the newest version of its status, in ascending record id [Δ17]", async () => {
    await storeApp("app-b", "ACCEPTED", embedded({ name: "Older" }));
    await storeApp("app-a", "ACCEPTED", embedded());
    await storeApp("app-b", "ACCEPTED", embedded({ name: "Newer" }));
    await storeApp("app-b", "PENDING", embedded({ name: "Waiting" }));
    await storeApp("app-b", "STAGING", embedded({ name: "Tried" }));
    await storeApp("app-c", "LIMITED", embedded());
    await storeApp("app-d", "ACCEPTED", { platform: "ANDROID" });
    await storeApp("app-e", "ACCEPTED", embedded());
    await setFlags("app-e", { isBlacklisted: true });
    expect(await idsIn()).toEqual(["app-a", "app-b"]);
    expect((await fetchQuery(production.GET, "?uuid=app-b")).data.applications[0].name).toBe("Newer");
    expect(await idsIn("", staging.GET)).toEqual(["app-b"]);
    expect((await fetchQuery(staging.GET)).data.applications[0].name).toBe("Tried");
  });

  it("filters by uuid and transport type", async () => {
    await storeApp("app-1", "ACCEPTED", embedded({ transportType: "webengine" }));
    await storeApp("app-2", "ACCEPTED", embedded({ transportType: "websocket" }));
    await storeApp("app-3", "ACCEPTED", embedded());
    expect(await idsIn("?uuid=app-2")).toEqual(["app-2"]);
    expect(await idsIn("?uuid=APP-2")).toEqual([]);
    expect(await idsIn("?uuid=a%00")).toEqual([]);
    expect(await idsIn("?transport_type=webengine")).toEqual(["app-1"]);
    expect(await idsIn("?transport_type=websocket&uuid=app-1")).toEqual([]);
    expect(await idsIn("?transport_type=")).toEqual(["app-1", "app-2", "app-3"]);
  });

  it.each([
    ["?transport_type=bogus", "Invalid transport_type"],
    ["?min_rpc_version=x", "min_rpc_version must have the form major, major.minor or major.minor.patch"],
    ["?min_protocol_version=-1", "min_protocol_version must have the form major, major.minor or major.minor.patch"],
  ])("refuses %s", async (query, message) => {
    expect(await fetchQuery(production.GET, query)).toEqual({ status: 400, message, data: {} });
    expect(await fetchQuery(staging.GET, query)).toEqual({ status: 400, message, data: {} });
  });

  it("shows a decision at once", async () => {
    const id = await storeApp("app-1", "PENDING", embedded());
    expect(await idsIn()).toEqual([]);
    await send(action.POST, { id, approval_status: "ACCEPTED" });
    expect(await idsIn()).toEqual(["app-1"]);
    await send(action.POST, { id, approval_status: "ACCEPTED", blacklist: true });
    expect(await idsIn()).toEqual([]);
  });

  it("reads the apps once for each revision, however often it is asked", async () => {
    await storeApp("app-1", "ACCEPTED", embedded());
    await idsIn();
    const seen = await watchQueries(() => Promise.all([idsIn(), idsIn("?uuid=app-1"), idsIn("?uuid=x")]));
    expect(seen.map(({ collection }) => collection).filter((name) => name.startsWith("application"))).toEqual([]);
  });
});
