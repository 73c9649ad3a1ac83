import type { z } from "zod";
import { buildInputSchema, type JsonSchema, type SchemaWithParts } from "@/lib/platform/zod/json-schema";

/** What schemas take, written once for each: routes make theirs when they are loaded. */
const descriptions = new WeakMap<z.ZodType, SchemaWithParts>();

/**
 * Turns a form's texts into the booleans and numbers that the schema wants (`api.md` 0.2). Other texts stay, and the
 * schema says what is wrong with them.
 */
export function readFormValues(form: Record<string, unknown>, schema: z.ZodType): Record<string, unknown> {
  const known = descriptions.get(schema) ?? buildInputSchema(schema);
  descriptions.set(schema, known);
  return readMembers(form, [known.schema], known.parts);
}

type Parts = SchemaWithParts["parts"];

function readMembers(
  value: Record<string, unknown>,
  alternatives: readonly JsonSchema[],
  parts: Parts,
): Record<string, unknown> {
  // Without a prototype, as the form was: its names are the caller's.
  const read: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [name, member] of Object.entries(value)) {
    const schemas = alternatives.flatMap(({ properties, additionalProperties }) => {
      const schema = properties?.[name] ?? additionalProperties;
      return typeof schema === "object" ? [schema] : [];
    });
    read[name] = readValue(member, schemas, parts);
  }
  return read;
}

function readValue(value: unknown, schemas: readonly JsonSchema[], parts: Parts): unknown {
  const alternatives = schemas.flatMap((schema) => listAlternatives(schema, parts));
  if (typeof value === "string") return readText(value, alternatives);
  if (Array.isArray(value)) {
    const items = alternatives.flatMap(({ items }) =>
      typeof items === "object" && !Array.isArray(items) ? [items] : [],
    );
    return value.map((item) => readValue(item, items, parts));
  }
  // What qs makes of a form is nothing but texts, lists, objects and nulls.
  if (value !== null && typeof value === "object") return readMembers({ ...value }, alternatives, parts);
  return value;
}

function readText(text: string, alternatives: readonly JsonSchema[]): unknown {
  const takes = (...types: readonly JsonSchema["type"][]) => alternatives.some(({ type }) => types.includes(type));
  if (alternatives.some((schema) => takesText(schema, text))) return text;
  if ((text === "true" || text === "false") && takes("boolean")) return text === "true";
  if (/^-?\d+(\.\d+)?$/.test(text) && takes("integer", "number")) return Number(text);
  return text;
}

function takesText({ type, enum: words, pattern }: JsonSchema, text: string): boolean {
  if (type !== "string") return false;
  if (words !== undefined) return words.includes(text);
  return pattern === undefined || new RegExp(pattern, "u").test(text);
}

/** The schemas of which one must fit, with references followed. */
function listAlternatives(schema: JsonSchema, parts: Parts): readonly JsonSchema[] {
  const part = schema.$ref === undefined ? undefined : parts[schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1)];
  if (part !== undefined) return listAlternatives(part, parts);
  const nested = schema.anyOf ?? schema.oneOf;
  return nested === undefined ? [schema] : nested.flatMap((one) => listAlternatives(one, parts));
}
