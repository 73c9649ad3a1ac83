import fc from "fast-check";
import { compileAside } from "@/lib/policy/compile-aside";
import { buildPreview } from "@/lib/policy/preview";
import { createSnapshotLoader } from "@/lib/policy/snapshot/load-snapshot";
import { rpcBody, stageGroup, stageMessage, stageVehicleData } from "@/test/support/releases";

export type Edit =
  | { readonly kind: "message"; readonly name: string; readonly isDeleted: boolean; readonly text: string }
  | { readonly kind: "data"; readonly name: string; readonly isDeleted: boolean; readonly type: string }
  | {
      readonly kind: "group";
      readonly name: string;
      readonly isDeleted: boolean;
      readonly prompt: string | null;
      readonly parameter: string | null;
      readonly level: string;
    };

const messageNames = ["Seats", "Doors"];
const dataNames = ["heat", "scent"];
const isDeleted = fc.nat(3).map((number) => number === 0);

export const anEdit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({
    kind: fc.constant("message" as const),
    name: fc.constantFrom(...messageNames),
    isDeleted,
    text: fc.constantFrom("one", "two"),
  }),
  fc.record({
    kind: fc.constant("data" as const),
    name: fc.constantFrom(...dataNames),
    isDeleted,
    type: fc.constantFrom("Integer", "Float"),
  }),
  fc.record({
    kind: fc.constant("group" as const),
    name: fc.constantFrom("G1", "G2", "G3"),
    isDeleted,
    prompt: fc.option(fc.constantFrom(...messageNames)),
    parameter: fc.option(fc.constantFrom(...dataNames)),
    level: fc.constantFrom("FULL", "NONE"),
  }),
);

export async function saveEdits(edits: readonly Edit[]): Promise<void> {
  for (const edit of edits) {
    // A group without its prompt is not saved, which is fine here.
    await saveEdit(edit).catch((error: unknown) => {
      if (!String(error).includes("400 ")) throw error;
    });
  }
}

async function saveEdit(edit: Edit): Promise<void> {
  const { name } = edit;
  const deletion = { is_deleted: edit.isDeleted };
  if (edit.kind === "message") {
    const languages = [{ language_id: "en-us", selected: true, label: edit.text }];
    return stageMessage(name, { ...deletion, languages });
  }
  if (edit.kind === "data") return stageVehicleData(name, { ...deletion, type: edit.type });
  const rpcs = [rpcBody("GetVehicleData", [edit.level], edit.parameter === null ? ["gps"] : ["gps", edit.parameter])];
  return stageGroup(name, { ...deletion, user_consent_prompt: edit.prompt, rpcs });
}

export async function readProductionTable(): Promise<unknown> {
  const policy = await compileAside(await createSnapshotLoader().load(), "production");
  const [{ policy_table }] = JSON.parse(JSON.stringify(buildPreview(policy))) as [{ policy_table: Stamped }];
  const { vehicle_data, consumer_friendly_messages: messages, ...others } = policy_table;
  return { ...others, items: vehicle_data.schema_items, messages: messages.messages };
}

interface Stamped {
  readonly vehicle_data: { readonly schema_items: unknown };
  readonly consumer_friendly_messages: { readonly messages: unknown };
}
