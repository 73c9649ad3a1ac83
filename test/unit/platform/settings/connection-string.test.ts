import { describe, expect, it } from "vitest";
import { buildUsableConnection } from "@/lib/platform/settings/connection-string";

const base = "mongodb+srv://user:p%3Fss@cluster.example.net/policies";

describe("finding C3: options of MONGODB_URI under which nothing works (B7)", () => {
  it.each([
    ["readPreference=secondaryPreferred", ["readPreference"]],
    ["READPREFERENCE=Nearest", ["readPreference"]],
    [
      "readPreferenceTags=dc:ny&readPreferenceTags=&maxStalenessSeconds=120",
      ["readPreferenceTags", "maxStalenessSeconds"],
    ],
    ["readConcernLevel=linearizable", ["readConcernLevel"]],
    ["w=0", ["w"]],
  ])("leaves out %s", (options, dropped) => {
    expect(buildUsableConnection(`${base}?retryWrites=true&${options}&appName=x`)).toEqual({
      uri: `${base}?retryWrites=true&appName=x`,
      dropped,
    });
  });

  it.each([
    base,
    `${base}?`,
    `${base}?retryWrites=true&w=majority&readPreference=primary&readConcernLevel=majority&wtimeoutMS=5`,
    "mongodb://a:1,b:2/?replicaSet=rs0&w=1&__proto__=x",
    "no connection string",
  ])("leaves %s as it is", (uri) => expect(buildUsableConnection(uri)).toEqual({ uri, dropped: [] }));
});
