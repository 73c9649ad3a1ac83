import type { z } from "zod";

/** Reports what a schema has found inside the transformation of another one, each at its own member. */
export function passOn({ issues }: z.ZodError, context: z.RefinementCtx): void {
  for (const { path, message } of issues) context.addIssue({ code: "custom", path, message });
}
