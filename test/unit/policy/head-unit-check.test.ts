import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkPolicyTable } from "@/lib/policy/head-unit/head-unit-check";
import { quoted } from "@/lib/policy/head-unit/values";
import { defaultRpcPriorities } from "@/lib/vocabulary/rpc-priorities";
import { rpc } from "./head-unit/row";
import { rows } from "./head-unit/rows";
import { tableWith, validTable } from "@/test/support/valid-table";

const brief = (findings: ReturnType<typeof checkPolicyTable>) => findings.map(({ message: _, ...finding }) => finding);

describe("checkPolicyTable", () => {
  it("finds nothing in a table that every head unit takes", () => expect(checkPolicyTable(validTable)).toEqual([]));

  it.each(rows)("$rule: accepts the good case ($about)", ({ accepted }) => {
    expect(checkPolicyTable(tableWith(accepted))).toEqual([]);
  });

  it.each(rows)("$rule: $severity by $build at $path ($about)", ({ rule, reported, severity, build, path }) => {
    expect(brief(checkPolicyTable(tableWith(reported)))).toContainEqual({ rule, severity, build, path });
  });

  it("says in one sentence what a head unit does and why", () => {
    const table = tableWith({ path: ["module_config", "exchange_after_x_days"], value: "30" });
    expect(checkPolicyTable(table).map(({ message }) => message)).toEqual([
      'A head unit refuses the whole update: the value must be an integer from 0 to 255, not "30".',
    ]);
  });

  it.each([
    [undefined, "nothing"],
    [null, "null"],
    [true, "true"],
    [[1], "a list"],
    [{ a: 1 }, "an object"],
    ["x".repeat(60), `"${"x".repeat(60)}"`],
    ["x".repeat(61), `"${"x".repeat(57)}…"`],
  ])("names %o in a message, shortened", (value, name) => expect(quoted(value)).toBe(name));

  it("3 parameters: tells one that is too long from one that nobody knows", () => {
    const messageOf = (name: string) =>
      checkPolicyTable(tableWith({ path: rpc("parameters"), value: ["speed", name] })).map(({ message }) => message);
    expect(messageOf("x".repeat(255))).toEqual([expect.stringContaining("neither the mobile API nor this update")]);
    expect(messageOf("x".repeat(256))).toEqual([expect.stringContaining("it is longer than 255 bytes")]);
  });

  it.each([{ table: null }, { table: [] }, { table: "<html>" }, { table: 5 }])(
    "1 policy_table: refuses $table",
    ({ table }) =>
      expect(checkPolicyTable(table)).toMatchObject([{ severity: "refused", path: "", rule: "1 policy_table" }]),
  );

  it("1 envelope: an unknown extra member anywhere is ignored", () => {
    const table = tableWith({ path: ["app_policies", "default", "mood"], value: null });
    expect(checkPolicyTable(tableWith({ path: ["extra"], value: [null] }, table))).toEqual([]);
  });

  it("8 rpc_priority_table: names of the HMI API are known by their function, in any case", () => {
    const table = tableWith({ path: ["rpc_priority_table"], value: defaultRpcPriorities });
    expect(checkPolicyTable(table).map(({ message }) => message)).toEqual([
      "A head unit ignores this section: no released SDL Core reads it.",
    ]);
  });

  it("4 app_policies: a key __proto__ is an ordinary entry", () => {
    const table: unknown = JSON.parse(
      JSON.stringify(validTable).replace('"22222222aa":"default"', '"__proto__":{"groups":[]}'),
    );
    expect(brief(checkPolicyTable(table))).toContainEqual({
      build: "external",
      severity: "refused",
      path: "app_policies.__proto__.groups",
      rule: "4 app_policies: groups",
    });
  });

  it("7 consumer_friendly_messages, 8 vehicle_data: both sections are optional", () => {
    const table = tableWith({ path: ["vehicle_data"] }, tableWith({ path: ["consumer_friendly_messages"] }));
    const parameters = ["functional_groupings", "Location", "rpcs", "GetVehicleData", "parameters"];
    expect(checkPolicyTable(tableWith({ path: parameters, value: ["gps"] }, table))).toEqual([]);
  });
});

describe("checkPolicyTable on anything", () => {
  const values = [...rows.map(({ reported }) => reported), ...rows.flatMap(({ accepted }) => accepted ?? [])];

  it("never throws on any JSON value", () =>
    fc.assert(fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => Array.isArray(checkPolicyTable(value)))));

  it("never throws on a valid table with anything anywhere, and leaves it as it was", () => {
    const places = values.map(({ path }) => path);
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.jsonValue(), (path, value) => {
        const table = tableWith({ path, value });
        const before = JSON.stringify(table);
        checkPolicyTable(table);
        expect(JSON.stringify(table)).toBe(before);
      }),
    );
  });

  it("refuses a valid table with one refused change out of the list, whatever else is accepted", () => {
    const refused = rows.filter(({ severity }) => severity === "refused");
    const harmless = [
      { path: ["extra"], value: 1 },
      { path: ["app_policies", "55555555aa"], value: null },
    ];
    fc.assert(
      fc.property(fc.constantFrom(...refused), fc.constantFrom(...harmless), ({ reported, build }, other) => {
        const findings = checkPolicyTable(tableWith(reported, tableWith(other)));
        expect(findings.some((one) => one.severity === "refused" && one.build === build)).toBe(true);
      }),
    );
  });

  it("bears values nested deeper than a call stack", () => {
    const depth = 200_000;
    const deep: unknown = JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`);
    expect(checkPolicyTable({ ...(tableWith(null) as Record<string, unknown>), extra: deep })).toMatchObject([
      { severity: "danger", rule: "1 nesting", path: `extra${"[0]".repeat(199)}` },
    ]);
  });

  it("bears structs nested deeper than a call stack", () => {
    let inner: unknown = { name: "x", key: "x", type: "Integer", mandatory: true };
    for (let level = 0; level < 20_000; level++) {
      inner = { name: "s", key: "s", type: "Struct", mandatory: true, params: [inner] };
    }
    const table = tableWith({ path: ["functional_groupings", "Location"], value: { rpcs: null } }) as Record<
      string,
      unknown
    >;
    const findings = checkPolicyTable({ ...table, vehicle_data: { schema_version: "1", schema_items: [inner] } });
    expect(findings).toMatchObject([{ severity: "danger", rule: "1 nesting" }]);
  });
});
