import type { z } from "zod";

/* What schemas with code accept, as schemas without code for the API's description. Safe in the browser. */

const forms = new WeakMap<z.core.$ZodType, z.ZodType>();

/** Says what a schema with code accepts, by a schema without, for the API's description. Returns `schema` itself. */
export function taking<T extends z.ZodType>(schema: T, form: z.ZodType): T {
  forms.set(schema, form);
  return schema;
}

/** What a schema takes, if `taking` was told. */
export function formOf(schema: z.core.$ZodType): z.ZodType | undefined {
  const { parent } = schema._zod;
  return forms.get(schema) ?? (parent && formOf(parent));
}
