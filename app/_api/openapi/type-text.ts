import type { JsonSchema } from "@/lib/platform/zod/json-schema";

const prefix = "#/components/schemas/";

export type TypePiece = { readonly words: string } | { readonly schema: string };

export function nameType(schema: JsonSchema): readonly TypePiece[] {
  if (schema.$ref !== undefined) return [{ schema: schema.$ref.slice(prefix.length) }];
  if (schema.const !== undefined) return [words(JSON.stringify(schema.const))];
  if (schema.enum !== undefined) return [words(schema.enum.map((value) => JSON.stringify(value)).join(" or "))];
  if (schema.anyOf !== undefined) {
    return schema.anyOf.flatMap((one, index) => [...(index > 0 ? [words(" or ")] : []), ...nameType(one)]);
  }
  if (schema.type === "array") return nameList(schema);
  if (schema.type === "object") return nameObject(schema);
  const type = Array.isArray(schema.type) ? schema.type.join(" or ") : (schema.type ?? "anything");
  return [words(`${schema.format === "date-time" ? "timestamp" : type}${limits(schema)}`)];
}

const words = (text: string): TypePiece => ({ words: text });

function nameList(schema: JsonSchema): readonly TypePiece[] {
  const [first] = schema.prefixItems ?? [];
  const items = first ?? (schema.items === undefined || Array.isArray(schema.items) ? undefined : schema.items);
  if (typeof first === "object") return [words("list of one "), ...nameType(first)];
  const max = schema.maxItems === undefined ? "" : `, at most ${schema.maxItems}`;
  if (items === undefined || typeof items === "boolean") return [words("empty list")];
  return [words("list of "), ...nameType(items), words(max)];
}

function nameObject({ additionalProperties: values, properties }: JsonSchema): readonly TypePiece[] {
  if (properties !== undefined || typeof values !== "object" || Object.keys(values).length === 0) {
    return [words("object")];
  }
  return [words("object with values of "), ...nameType(values)];
}

function limits({ type, minimum, maximum, minLength, maxLength, pattern }: JsonSchema): string {
  if (pattern !== undefined) return ` of the form ${pattern}`;
  if (type === "string") return range(minLength, maxLength, " characters");
  return range(minimum, maximum, "");
}

function range(least: number | undefined, max: number | undefined, unit: string): string {
  if (least !== undefined && max !== undefined) return `, ${least} to ${max}${unit}`;
  if (max !== undefined) return `, at most ${max}${unit}`;
  if (least === 1 && unit !== "") return ", not empty";
  return least === undefined ? "" : `, ${least}${unit} or more`;
}

export interface Member {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

export function findMembers(schema: JsonSchema): readonly Member[] | null {
  if (schema.properties !== undefined) {
    return Object.entries(schema.properties).map(([name, member]) => ({
      name,
      schema: typeof member === "boolean" ? {} : member,
      isRequired: schema.required?.includes(name) ?? false,
    }));
  }
  const [first] = schema.prefixItems ?? [];
  const items = first ?? (Array.isArray(schema.items) ? undefined : schema.items);
  if (typeof items === "object") return findMembers(items);
  if (schema.anyOf !== undefined) return schema.anyOf.map(findMembers).find((members) => members !== null) ?? null;
  return typeof schema.additionalProperties === "object" ? findMembers(schema.additionalProperties) : null;
}
