import "server-only";
import { loadPart, type Part } from "@/app/_console/load-part";
import { loadAppNames } from "@/lib/apps/applications/queries";
import { loadWorsened, type Worsened } from "@/lib/fleet/figures/behaviour";
import type { AdoptionFigures } from "@/lib/fleet/figures/answer-schema";
import { loadAdoption } from "@/lib/fleet/figures/requests";
import { buildScopeSince } from "@/lib/fleet/figures/scope";

export interface ReleaseFigures {
  readonly adoption: AdoptionFigures;
  readonly worsened: readonly Worsened[];
}

/** What vehicles did since a release was published. `at`: ISO 8601 */
export function loadReleaseFigures(at: string, now: number): Promise<Part<ReleaseFigures>> {
  return loadPart("figures of a release", async () => {
    const since = Date.parse(at);
    const [adoption, worsened] = await Promise.all([
      loadAdoption(buildScopeSince(since, "production", now)),
      loadWorsened(since, now, loadAppNames),
    ]);
    return { adoption, worsened };
  });
}
