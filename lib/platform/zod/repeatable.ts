import { z } from "zod";
import { taking } from "@/lib/platform/zod/taking";

/* Schemas that take all values of a repeated parameter; others take the first (`api.md` 0.3). Safe in the browser. */

const schemas = new WeakSet<z.core.$ZodType>();

/** An optional parameter that may be given several times: the list of its texts; undefined when absent. */
export function repeatable() {
  const list = z.union([z.array(z.string()), z.string().transform((text) => [text])], { error: "must be a text" });
  const schema = taking(list.optional(), z.array(z.string()).optional());
  schemas.add(schema);
  return schema;
}

/** A schema made of a repeatable one stays repeatable. */
export function alsoRepeatable<T extends z.ZodType>(schema: T): T {
  schemas.add(schema);
  return schema;
}

/** The parameters of a query schema that may be given several times. */
export function repeatableNames(query: z.ZodType | undefined): string[] {
  if (query === undefined || !isObjectSchema(query)) return [];
  return Object.entries(query.shape).flatMap(([name, member]) => (schemas.has(member) ? name : []));
}

function isObjectSchema(schema: z.ZodType): schema is z.ZodObject<z.ZodRawShape> {
  return schema instanceof z.ZodObject;
}
