import type { z } from "zod";

/*
 * A schema with code in it (`transform`, `refine`) checks more than it can tell. What it takes is then written down
 * beside it, as a schema without code: the description of the API shows that one. Safe in the browser.
 */

const forms = new WeakMap<z.core.$ZodType, z.ZodType>();

/**
 * Says what a schema takes, for the description of the API. Schemas derived by `refine` inherit it.
 *
 * @param form a schema without code; when it is optional, so is the member it describes
 * @returns `schema` itself
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
