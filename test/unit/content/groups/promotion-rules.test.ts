import { expect, it } from "vitest";
import { listLostParameters } from "@/lib/content/groups/rules";
import { anRpc } from "@/test/support/builders";

it("2.5 rule 2: names custom vehicle data that is in staging only, once for all RPCs", () => {
  const rpcs = ["GetVehicleData", "OnVehicleData"].map((name) => anRpc({ name, parameters: ["gps", "cabinScent"] }));
  const isUsable = ({ status }: { readonly status: string }, _: string, key: string) =>
    status === "STAGING" || key === "gps";
  expect(listLostParameters({ rpcs }, isUsable)).toEqual(["cabinScent"]);
});
