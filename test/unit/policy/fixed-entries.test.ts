import { describe, expect, it } from "vitest";
import { answerText, builtTable, compiled, shortenedTable } from "@/test/support/answers";
import { aCatalogue, aGroup, anApp, anAppVersion, aSnapshot, inBothViews } from "@/test/support/builders";

const entries = [
  ["default", "isDefault"],
  ["device", "isDevice"],
  ["pre_DataConsent", "isPreDataConsent"],
] as const;

describe.each(entries)("A29: the entry %s", (name, flag) => {
  it(`A29, T5, T6: lists the groups with ${flag} and no others, in this form`, async () => {
    const others = { isDefault: true, isDevice: true, isPreDataConsent: true, [flag]: false };
    const groups = inBothViews(
      aGroup({ name: "zeta", [flag]: true }),
      aGroup({ name: "Alpha", [flag]: true, isProprietaryGroup: true }),
      aGroup({ name: "ALPHA2", [flag]: true }),
      aGroup({ name: "other", ...others }),
      aGroup({ name: "gone", [flag]: true, isDeleted: true }),
    );
    const { app_policies } = await builtTable(aSnapshot({ groups }));
    expect(JSON.stringify(app_policies[name])).toBe(
      JSON.stringify({
        keep_context: false,
        steal_focus: false,
        priority: "NONE",
        default_hmi: "NONE",
        groups: ["Alpha", "ALPHA2", "zeta"],
        RequestType: [],
        RequestSubType: [],
      }),
    );
  });

  it.each([{}, null, "text", { enabled: true, auth_token: "t" }])(
    "A1, T8: replaces a requested entry (%j)",
    async (sent) => {
      const app = anApp({ uuid: name, versions: [anAppVersion({ shortUuid: name })] });
      const policy = await compiled(aSnapshot({ apps: aCatalogue([app]) }), "production");
      for (const long of [true, false]) {
        const text = answerText(policy, shortenedTable({ [name]: sent, a: {} }, long));
        expect(text.slice(text.indexOf('"app_policies":')).split(`"${name}":`)).toHaveLength(2);
        const fixed = JSON.parse(answerText(policy, shortenedTable({}, long))).data[0].policy_table.app_policies;
        expect(JSON.parse(text).data[0].policy_table.app_policies).toEqual({ a: "default", ...fixed });
      }
    },
  );
});

it("A29, T5: without such a group the list is empty, and G9 finds it", async () => {
  const groups = inBothViews(aGroup({ isDefault: true, isPreDataConsent: true }));
  const { app_policies } = await builtTable(aSnapshot({ groups }), { refusals: ["app_policies.device.groups"] });
  expect(app_policies.device.groups).toEqual([]);
});
