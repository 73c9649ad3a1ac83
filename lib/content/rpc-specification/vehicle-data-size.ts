import { SpecificationRefused } from "@/lib/content/rpc-specification/errors";

interface Params {
  readonly params: readonly { readonly type: string }[];
}

const maxItems = 20_000;
const deepest = 32;

/**
 * Refuses a specification whose vehicle data would fill the memory: every policy table holds them written out (rules V3
 * and V4), and structs in structs can make a small document a huge table.
 *
 * @throws SpecificationRefused
 */
export function requireBoundedVehicleData(specification: {
  readonly structs: readonly (Params & { readonly name: string })[];
  readonly functions: readonly (Params & { readonly name: string; readonly messageType: string })[];
}): void {
  const structs = new Map(specification.structs.map((struct) => [struct.name, struct]));
  let items = 0;
  const count = ({ params }: Params, open: readonly string[]) => {
    items += params.length;
    if (items > maxItems || open.length > deepest) {
      throw new SpecificationRefused("The vehicle data of the RPC specification are too many");
    }
    for (const { type } of params) {
      const struct = structs.get(type);
      // A struct inside itself is left out of the table.
      if (struct !== undefined && !open.includes(type)) count(struct, [...open, type]);
    }
  };
  const isVehicleData = (name: string, messageType: string) => name === "GetVehicleData" && messageType === "response";
  for (const one of specification.functions) if (isVehicleData(one.name, one.messageType)) count(one, []);
}
