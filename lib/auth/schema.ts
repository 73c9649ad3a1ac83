import { z } from "zod";

/** Whatever was sent as the password: what is no string is wrong, not malformed (`api.md` 2.1). */
export const loginBody = z.object({ password: z.unknown().optional() });
