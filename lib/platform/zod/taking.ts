import type { z } from "zod";

/*
 * What schemas with code (`transform`, `refine`) accept, as schemas without code for the API's description. Safe in the
 * browser.
 */

const forms = new WeakMap<z.core.$ZodType, z.ZodType>();

/**
 * Says what a schema accepts, for the API's description; inherited by `refine`. Returns `schema` itself.
 * @param form a schema without code; if it is optional, so is the member
 */
export function taking<T extends z.ZodType>(schema: T, form: z.ZodType): T {
  forms.set(schema, form);
  return schema;
}

/** What a schema takes, if `taking` was told. */
export function formOf(schema: z.core.$ZodType): z.ZodType | undefined {
  const { parent } = schema._zod;
  return forms.get(schema) ?? (parent && formOf(parent));
}
