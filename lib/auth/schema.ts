import { z } from "zod";
import { taking } from "@/lib/zod/taking";

const password = taking(
  z.unknown().optional(),
  z.string().optional().describe("Needed while AUTH_TYPE is basic; without it nothing is checked"),
);

/** Whatever was sent as the password: what is no string is wrong, not malformed (`api.md` 2.1). */
export const loginBody = z.object({ password });

/** The form of the login page: the password, and where to go on. */
export const passwordFormBody = z.object({ password, redirect: z.unknown().optional() });
