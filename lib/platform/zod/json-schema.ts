import { z } from "zod";
import { formOf } from "@/lib/platform/zod/query";

export type JsonSchema = z.core.JSONSchema.JSONSchema;

export interface SchemaWithParts {
  readonly schema: JsonSchema;
  readonly parts: Readonly<Record<string, JsonSchema>>;
}

export function buildInputSchema(schema: z.ZodType): SchemaWithParts {
  return build(schema, "input");
}

/** What callers get, for a response schema. Responses may gain members at any time. */
export function buildOutputSchema(schema: z.ZodType): SchemaWithParts {
  return build(schema, "output");
}

function build(schema: z.ZodType, io: "input" | "output"): SchemaWithParts {
  const parts: Record<string, JsonSchema> = {};
  const convert = (one: z.core.$ZodType): JsonSchema => {
    const {
      $schema: _,
      $defs = {},
      ...own
    } = z.toJSONSchema(one, {
      io,
      override: ({ zodSchema, jsonSchema }) => {
        if (io === "input") describeInput(zodSchema, jsonSchema, convert);
        else if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
        simplify(jsonSchema);
      },
    });
    Object.assign(parts, $defs);
    return own;
  };
  const converted = convert(schema);
  return { schema: relocate(converted), parts: relocate(parts) };
}

function describeInput(
  schema: z.core.$ZodTypes,
  target: JsonSchema,
  convert: (schema: z.core.$ZodType) => JsonSchema,
): void {
  const form = formOf(schema);
  const { def } = schema._zod;
  if (form !== undefined) {
    replace(target, convert(form));
  } else if (def.type === "pipe" && !def.out._zod.traits.has("$ZodTransform")) {
    // Checked in steps, the last of which is the most specific.
    replace(target, convert(def.out));
  } else if (def.type === "object") {
    const required = Object.entries(def.shape).filter(([, member]) => isRequired(member));
    if (required.length > 0) target.required = required.map(([name]) => name);
    else delete target.required;
  }
}

function isRequired(member: z.core.$ZodType): boolean {
  return (formOf(member) ?? member)._zod.optin === undefined;
}

function replace(target: JsonSchema, source: JsonSchema): void {
  for (const name of Object.keys(target)) Reflect.deleteProperty(target, name);
  Object.assign(target, source);
}

/** Removes details without value for readers: ranges and patterns of numbers and times, and that names are texts. */
function simplify(schema: JsonSchema): void {
  if (JSON.stringify(schema.propertyNames) === '{"type":"string"}') delete schema.propertyNames;
  if (schema.properties !== undefined && JSON.stringify(schema.additionalProperties) === "{}") {
    delete schema.additionalProperties;
  }
  if (schema.anyOf !== undefined) schema.anyOf = schema.anyOf.flatMap(listAlternatives);
  // In JSON Schema, an empty `prefixItems` is invalid: it means a list without elements.
  if (schema.prefixItems?.length === 0) {
    delete schema.prefixItems;
    schema.maxItems = 0;
  }
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.format !== undefined) delete schema.pattern;
}

function listAlternatives(schema: JsonSchema): JsonSchema[] {
  return schema.anyOf !== undefined && Object.keys(schema).length === 1 ? schema.anyOf : [schema];
}

function relocate<T>(value: T): T {
  return JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/')) as T;
}
