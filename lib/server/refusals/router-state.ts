import { z } from "zod";

/** Longer ones are refused by the framework as well. */
const longest = 40_000;

const segment = z.union([z.string(), z.tuple([z.string(), z.string(), z.string(), z.array(z.string()).nullable()])]);
const marker = z.string().nullish();

/** The form in which the framework's pages say what they show; of what is deeper than any page nothing is believed. */
function routerState(depth: number): z.ZodType {
  const below = depth === 0 ? z.never() : z.lazy(() => routerState(depth - 1));
  const refresh = z.tuple([z.string(), z.string()]).nullish();
  const rest = [refresh, z.enum(["refetch", "inside-shared-layout", "metadata-only"]).nullish(), z.number().nullish()];
  const [first, second, third] = rest as [typeof refresh, z.ZodType, z.ZodType];
  return z.tuple([segment, z.record(z.string(), below), first.optional(), second.optional(), third.optional(), marker]);
}

const schema = routerState(20);

/** Whether a value of `Next-Router-State-Tree` can be read: the framework answers 500 to every other. */
export function isRouterState(value: string): boolean {
  if (value.length > longest) return false;
  try {
    return schema.safeParse(JSON.parse(decodeURIComponent(value))).success;
  } catch {
    return false;
  }
}
