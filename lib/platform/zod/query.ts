"one per process";

import { z } from "zod";
import { type Environment, environments } from "@/lib/vocabulary/terms";

const forms = new WeakMap<z.core.$ZodType, z.ZodType>();

/** Describes what a schema with code accepts, by one without, for the API's description. Returns `schema` itself. */
export function taking<T extends z.ZodType>(schema: T, form: z.ZodType): T {
  forms.set(schema, form);
  return schema;
}

export function formOf(schema: z.core.$ZodType): z.ZodType | undefined {
  const { parent } = schema._zod;
  return forms.get(schema) ?? (parent && formOf(parent));
}

/* Schemas that use all values of a repeated parameter; others use the first (`api.md` 0.3). Safe in the browser. */

const schemas = new WeakSet<z.core.$ZodType>();

export function repeatable() {
  const list = z.union([z.array(z.string()), z.string().transform((text) => [text])], { error: "must be a text" });
  const schema = taking(list.optional(), z.array(z.string()).optional());
  schemas.add(schema);
  return schema;
}

export function alsoRepeatable<T extends z.ZodType>(schema: T): T {
  schemas.add(schema);
  return schema;
}

export function repeatableNames(query: z.ZodType | undefined): string[] {
  if (query === undefined || !isObjectSchema(query)) return [];
  return Object.entries(query.shape).flatMap(([name, member]) => (schemas.has(member) ? name : []));
}

function isObjectSchema(schema: z.ZodType): schema is z.ZodObject<z.ZodRawShape> {
  return schema instanceof z.ZodObject;
}

// The API's scalars (`api.md` 0.3, 0.8), safe in the browser. Messages complete the sentence "<field> …".

const isTrue: ReadonlySet<string> = new Set(["true", "1"]);
const isFalse: ReadonlySet<string> = new Set(["false", "0", ""]);

const rawText = taking(
  z.union([z.string(), z.array(z.string())]).transform((value) => (Array.isArray(value) ? value[0] : value)),
  z.string(),
);

export const digits = /^\d{1,9}$/;

export function pathNumber(error: string) {
  return taking(z.string().regex(digits, { error }).transform(Number), z.int().min(1));
}

export function queryText() {
  return rawText.optional();
}

/** The database takes no longer expression. */
const longestText = 1_000;

export function filledText() {
  const text = rawText.refine((one) => one === undefined || one.length <= longestText, {
    error: "must have at most 1,000 characters",
  });
  return text.optional().transform((one) => (one === "" ? undefined : one));
}

export function queryWord<const Word extends string>(name: string, words: readonly Word[]) {
  return filledText().pipe(z.enum(words, { error: `${name} must be one of ${words.join(", ")}` }).optional());
}

/** `true` or `1` is true; `false`, `0`, empty or absent is false; any case. */
export function queryBoolean() {
  const flag = rawText
    .transform((text) => text?.toLowerCase() ?? "")
    .refine((text) => isTrue.has(text) || isFalse.has(text), { error: "must be true or false" })
    .transform((text) => isTrue.has(text));
  return taking(taking(flag, z.boolean()).default(false), z.boolean().default(false));
}

/** An optional integer; undefined if absent. Zero, negative and unknown ones are valid but match nothing. */
export function queryInteger() {
  const integer = rawText
    .refine((text) => text !== undefined && /^-?\d+$/.test(text) && Number.isSafeInteger(Number(text)), {
      error: "must be an integer",
    })
    .transform(Number);
  return taking(integer, z.int()).optional();
}

export function queryLimit(whenUnsaid: number, max = 1000) {
  const limit = queryInteger()
    .transform((wanted) => wanted ?? whenUnsaid)
    .refine((wanted) => wanted >= 1 && wanted <= max, { error: `limit must be an integer from 1 to ${max}` });
  return taking(limit, z.int().min(1).max(max).default(whenUnsaid));
}

/** `staging` or `production` in any case. Everything else, or nothing, means `fallback` (table in `api.md` 0.3). */
export function queryEnvironment(fallback: Environment) {
  const environment = rawText.transform(
    (text) => environments.find((name) => name === text?.toLowerCase()) ?? fallback,
  );
  const form = z.enum(environments).default(fallback).describe(`Anything else counts as ${fallback}`);
  return taking(environment.default(fallback), form);
}

/** An id in a body: a JSON integer or a string of decimal digits (`api.md` 0.8). */
export const bodyId = z.union(
  [
    z.int({ error: "must be an integer" }),
    z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number),
  ],
  { error: "must be an integer" },
);
