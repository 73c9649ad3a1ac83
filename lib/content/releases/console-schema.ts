/** Queries of the pages of releases: what is malformed counts as absent. */
import { z } from "zod";
import { releaseKinds } from "@/lib/content/releases/vocabulary";

const number = z.coerce.number().int().min(1).max(999_999_999).optional().catch(undefined);

/** `/releases` */
export const releasesPageQuery = z.object({
  kind: z.enum(releaseKinds).optional().catch(undefined),
  cursor: number,
});

/** `/releases/{n}`; `to` is what it is compared with, by default the release before. */
export const releasePageQuery = z.object({
  to: z
    .union([z.enum(["production", "staging"]), number])
    .optional()
    .catch(undefined),
});
