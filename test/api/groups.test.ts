import { describe, expect, it } from "vitest";
import * as groups from "@/app/api/v1/groups/route";
import * as names from "@/app/api/v1/groups/names/route";
import { fetchQuery } from "@/test/support/applications";
import { withEmptyDatabase } from "@/test/support/database";
import {
  noGroupFlags,
  store,
  storeGroup,
  storeMessage,
  storePermission,
  storeVehicleData,
  storeRpcSpecification,
} from "@/test/support/stored-records";

withEmptyDatabase();

const list = (query = "") => fetchQuery(groups.GET, query);
const namesOf = ({ data }: Awaited<ReturnType<typeof list>>): string[] =>
  data.groups.map(({ name }: { name: string }) => name);

async function storeVocabulary() {
  await store(async (tx) => {
    await storePermission(tx, "Show");
    await storePermission(tx, "GetVehicleData");
    await storePermission(tx, "speed", "PARAMETER", ["GetVehicleData"]);
    await storePermission(tx, "gps", "PARAMETER", ["GetVehicleData"]);
    await storePermission(tx, "CLIMATE", "MODULE", ["GetVehicleData"]);
    await storeVehicleData(tx, "cabinScent", "STAGING");
    await storeVehicleData(tx, "ambient", "PRODUCTION");
    await storeRpcSpecification(tx);
  });
}

const levels = (...selected: string[]) =>
  ["FULL", "LIMITED", "BACKGROUND", "NONE"].map((level) => ({
    name: level,
    value: level,
    selected: selected.includes(level),
  }));
const parameter = (key: string, selected: boolean, is_custom = false) => ({ name: key, key, is_custom, selected });

describe("GET groups, the list (11.1, 11.2)", () => {
  it("gives every member of 11.2, without RPCs", async () => {
    await storeVocabulary();
    const id = await store(async (tx) => {
      await storeMessage(tx, "Location", "PRODUCTION");
      return storeGroup(tx, {
        name: "Location-1",
        status: "PRODUCTION",
        description: "Where the car is",
        userConsentPrompt: "Location",
        isDevice: true,
        encryptionRequired: true,
        rpcs: [
          { name: "GetVehicleData", levels: ["FULL"], parameters: ["gps", "speed", "ambient", "cabinScent"] },
          { name: "OnVehicleData", levels: ["FULL"], parameters: ["gps", "ambient"] },
        ],
      });
    });
    expect((await list()).data).toEqual({
      groups: [
        {
          id,
          name: "Location-1",
          description: "Where the car is",
          status: "PRODUCTION",
          user_consent_prompt: "Location",
          selected_prompt_id: 1,
          selected_prompt_status: "PRODUCTION",
          selected_rpc_count: 2,
          // F5: gps by the specification, ambient by production; speed is unknown, cabinScent only staged.
          selected_parameter_count: 2,
          ...{ ...noGroupFlags, is_device: true, encryption_required: true },
          is_deleted: false,
          rpcs: [],
        },
      ],
    });
  });

  it("section 1: shows the newest of each view, and unpromoted deletions in staging", async () => {
    await store(async (tx) => {
      await storeGroup(tx, { name: "b", status: "PRODUCTION" });
      await storeGroup(tx, { name: "b", description: "edited" });
      await storeGroup(tx, { name: "B", status: "PRODUCTION" });
      await storeGroup(tx, { name: "B", isDeleted: true });
      await storeGroup(tx, { name: "gone", status: "PRODUCTION", isDeleted: true });
      await storeGroup(tx, { name: "a", isDeleted: true });
      await storeGroup(tx, { name: "new" });
    });
    expect(namesOf(await list())).toEqual(["B", "b"]);
    expect(namesOf(await list("?environment=STAGING"))).toEqual(["B", "a", "b", "new"]);
    expect(namesOf(await list("?environment=nonsense"))).toEqual(["B", "b"]);
    const staging = await list("?environment=staging");
    expect(staging.data.groups.map((group: any) => group.description)).toEqual([null, null, "edited", null]);
    expect((await fetchQuery(names.GET)).data).toEqual({ names: ["a", "B", "b", "new"] });
  });

  it("shows no prompt that is absent or deleted in the view asked for", async () => {
    await store(async (tx) => {
      await storeMessage(tx, "Staged", "STAGING");
      await storeGroup(tx, { name: "A", status: "PRODUCTION", userConsentPrompt: "Staged" });
    });
    const none = { user_consent_prompt: null, selected_prompt_id: null, selected_prompt_status: null };
    expect((await list()).data.groups[0]).toMatchObject(none);
    const shown = { user_consent_prompt: "Staged", selected_prompt_id: 1, selected_prompt_status: "STAGING" };
    expect((await list("?environment=staging")).data.groups[0]).toMatchObject(shown);
  });

  it("gives pages that together are the list, in every order", async () => {
    await store(async (tx) => {
      for (let index = 0; index < 23; index++) {
        await storeGroup(tx, { name: `G${(index * 7) % 23}`, isDeleted: index % 5 === 0, status: "PRODUCTION" });
      }
    });
    for (const sort of ["name", "-name", "id", "-id"]) {
      const whole = await list(`?sort=${sort}`);
      expect(whole.data).not.toHaveProperty("next_cursor");
      const first = await list(`?sort=${sort}&limit=10`);
      const second = await list(`?sort=${sort}&limit=10&cursor=${first.data.next_cursor}`);
      expect([...namesOf(first), ...namesOf(second)]).toEqual(namesOf(whole));
      expect([namesOf(first).length, namesOf(second).length, second.data.next_cursor]).toEqual([10, 8, null]);
    }
  });

  it("searches names and descriptions", async () => {
    await store(async (tx) => {
      await storeGroup(tx, { name: "Base" });
      await storeGroup(tx, { name: "Other", description: "What every BASE has" });
      await storeGroup(tx, { name: "Third" });
    });
    expect(namesOf(await list("?environment=staging&search=base"))).toEqual(["Base", "Other"]);
    expect(namesOf(await list("?environment=staging&search=.*"))).toEqual([]);
  });
});

describe("GET groups, one record and the template (11.1, 11.2)", () => {
  it("gives a record of any view with all it could hold", async () => {
    await storeVocabulary();
    const id = await store(async (tx) => {
      const first = await storeGroup(tx, {
        name: "A",
        isDeleted: true,
        rpcs: [
          { name: "GetVehicleData", levels: ["NONE", "FULL"], parameters: ["gps", "forgotten"] },
          { name: "OldRpc", levels: ["FULL"], parameters: [] },
        ],
      });
      await storeGroup(tx, { name: "A", status: "PRODUCTION" });
      return first;
    });
    const { data } = await list(`?id=${id}&environment=production`);
    expect(data.groups).toHaveLength(1);
    expect(data.groups[0]).toMatchObject({ id, is_deleted: true, status: "STAGING", selected_rpc_count: 2 });
    expect(data.groups[0].rpcs).toEqual([
      {
        name: "GetVehicleData",
        selected: true,
        hmi_levels: levels("FULL", "NONE"),
        parameters: [
          parameter("forgotten", true),
          parameter("gps", true),
          parameter("speed", false),
          parameter("ambient", false, true),
        ],
      },
      { name: "OldRpc", selected: true, hmi_levels: levels("FULL"), parameters: [] },
      { name: "Show", selected: false, hmi_levels: levels(), parameters: [] },
    ]);
    const staged = await list(`?id=${id}&environment=staging`);
    const keys = staged.data.groups[0].rpcs[0].parameters.map(({ key }: { key: string }) => key);
    expect(keys).toEqual(["forgotten", "gps", "speed", "ambient", "cabinScent"]);
  });

  it.each(["0", "-1", "999"])("gives nothing for id %s", async (id) => {
    expect((await list(`?id=${id}`)).data).toEqual({ groups: [] });
  });

  it("prefers the template, which has every known RPC", async () => {
    await storeVocabulary();
    const { data } = await list("?template=1&id=5");
    expect(data.groups).toHaveLength(1);
    const [{ rpcs, ...group }] = data.groups;
    expect(group).toEqual({
      id: 0,
      ...{ name: "", description: "", status: "", selected_rpc_count: 0, selected_parameter_count: 0 },
      ...{ user_consent_prompt: null, selected_prompt_id: null, selected_prompt_status: null },
      ...noGroupFlags,
      is_deleted: false,
    });
    expect(rpcs.map(({ name }: { name: string }) => name)).toEqual(["GetVehicleData", "Show"]);
    expect(rpcs[0].parameters).toEqual([
      parameter("gps", false),
      parameter("speed", false),
      parameter("ambient", false, true),
    ]);
  });
});
