import { describe, expect, it } from "vitest";
import { compareEntitlements, type Entitlement, isSame, isWider } from "@/lib/policy/effect/entitlement";
import { permits, type PermitGroup } from "@/lib/policy/permits/permits";
import type { CarBuild } from "@/lib/labels/head-units";
import type { HmiLevel } from "@/lib/labels/vocabulary";

/* What tells more from less (`gate.md` W9). */

type Group = Entitlement["groups"][number];
function aGroup(
  name: string,
  { isEncrypted = false, prompt = null }: Partial<Group> = {},
  parameters?: string[],
): Group {
  const levels: HmiLevel[] = ["FULL"];
  const rpc = { name: "GetVehicleData", levels, parameters: parameters ?? null };
  return { name, prompt, isEncrypted, rpcs: [rpc] };
}

const plain = { keep_context: false, steal_focus: false, priority: "NONE", default_hmi: "NONE", groups: ["A"] };
function having(entry: object | null, groups: readonly Group[] = [aGroup("A")]): Entitlement {
  const ask = (build: CarBuild) => permits(groups satisfies readonly PermitGroup[], build, "all");
  const permitted = entry === null ? { regular: new Map(), external: new Map() } : undefined;
  return {
    permits: permitted ?? { regular: ask("regular"), external: ask("external") },
    groups: entry === null ? [] : groups,
    entry: entry === null ? null : { ...plain, ...entry },
  };
}
const compare = (one: Entitlement, other: Entitlement, builds: readonly CarBuild[] = ["regular", "external"]) =>
  compareEntitlements(one, other, builds);
const service = (names: readonly string[] | null, rpcs: readonly number[]) => ({
  app_services: {
    MEDIA: { ...(names && { service_names: names }), handled_rpcs: rpcs.map((id) => ({ function_id: id })) },
  },
});

describe("W9", () => {
  it.each<[string, Entitlement, Entitlement]>([
    ["an entry at all", having(null), having({})],
    ["keeping the context", having({}), having({ keep_context: true })],
    ["stealing the focus", having({}), having({ steal_focus: true })],
    ["unknown RPCs", having({ allow_unknown_rpc_passthrough: false }), having({ allow_unknown_rpc_passthrough: true })],
    ["a higher priority", having({ priority: "NORMAL" }), having({ priority: "EMERGENCY" })],
    ["a higher HMI level", having({ default_hmi: "NONE" }), having({ default_hmi: "BACKGROUND" })],
    ["a module type", having({ moduleType: ["RADIO"] }), having({ moduleType: ["CLIMATE", "RADIO"] })],
    ["every module type", having({ moduleType: ["RADIO"] }), having({ moduleType: [] })],
    ["a request type", having({ RequestType: ["HTTP"] }), having({ RequestType: ["HTTP", "PROPRIETARY"] })],
    ["every request type", having({}), having({ RequestType: [] })],
    ["a request subtype", having({ RequestSubType: ["a"] }), having({ RequestSubType: ["a", "b"] })],
    ["a service", having({}), having(service(["Tunes"], [41]))],
    ["an RPC of a service", having(service(["Tunes"], [41])), having(service(["Tunes"], [41, 42]))],
    ["finding G1: a name where the list was empty", having(service([], [41])), having(service(["Tunes"], [41]))],
    ["finding G1: every name, without a list", having(service(["Tunes"], [41])), having(service(null, [41]))],
    ["RPCs in the clear", having({}, [aGroup("A", { isEncrypted: true })]), having({})],
    [
      "RPCs in the clear, because the entry says so",
      having({ encryption_required: true }, [aGroup("A", { isEncrypted: true })]),
      having({ encryption_required: false }, [aGroup("A", { isEncrypted: true })]),
    ],
    ["RPCs without asking the driver", having({}, [aGroup("A", { prompt: "Location" })]), having({})],
    ["a parameter", having({}, [aGroup("A", {}, ["gps"])]), having({}, [aGroup("A", {}, ["gps", "speed"])])],
  ])("%s is more, and the other way round less only", (_, less, more) => {
    expect(isWider(compare(less, more))).toBe(true);
    expect(isWider(compare(more, less))).toBe(false);
    expect(isSame(compare(more, less))).toBe(false);
    expect(isSame(compare(more, more))).toBe(true);
  });

  it("the RPC that stands for none is none", () => {
    expect(isSame(compare(having(service(["Tunes"], [0])), having(service(["Tunes"], []))))).toBe(true);
  });

  it("some instead of others is both, and so wider", () => {
    expect(isWider(compare(having({ moduleType: ["RADIO"] }), having({ moduleType: ["CLIMATE"] })))).toBe(true);
  });

  it("only the chosen builds count: who is asked matters in external cars alone", () => {
    const [asked, unasked] = [having({}, [aGroup("A", { prompt: "Location" })]), having({})];
    expect(isWider(compare(asked, unasked, ["external"]))).toBe(true);
    expect(isWider(compare(asked, unasked, ["regular"]))).toBe(false);
  });
});
