import { z } from "zod";

const text = z.string().optional().catch(undefined);

/**
 * Body of `POST webhook` (`api.md` section 8). Nothing in it is an error: what is not understood is ignored, because the
 * directory may learn to tell more than this server wants to know.
 */
export const webhookBody = z.object({
  entity: text,
  action: text,
  uuid: z.string().min(1).max(36).optional().catch(undefined),
});
export type WebhookBody = z.output<typeof webhookBody>;
