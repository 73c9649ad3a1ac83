import "server-only";
import type { HeadUnitFigures } from "@/lib/fleet/figures/answer-schema";
import { rank, tell, tellShare, total, type Values } from "@/lib/fleet/figures/counts";
import { loadShare, loadSums } from "@/lib/fleet/figures/load-values";
import { describeScope, type Scope } from "@/lib/fleet/figures/scope";

export const headUnitKinds = ["software", "hardware", "languages", "countries", "systems"] as const;

/** What head units and phones are, the most frequent first. @throws DatabaseUnavailable */
export async function loadHeadUnits(scope: Scope): Promise<HeadUnitFigures> {
  const [share, software, hardware, languages, countries, systems] = await Promise.all([
    loadShare(scope),
    ...([
      loadSums("software", scope),
      loadSums("hardware", scope),
      loadSums("languages", scope),
      loadSums("countries", scope),
      loadSums("systems", scope),
    ] as const),
  ]);
  return {
    ...describeScope(scope),
    share,
    software: listValues(software),
    hardware: listValues(hardware),
    languages: listValues(languages),
    countries: listValues(countries),
    systems: listValues(systems),
  };
}

function listValues(values: Values): HeadUnitFigures["software"] {
  const whole = total(values);
  return rank(values).map(({ value, count }) => ({ value, count: tell(count), share: tellShare(count, whole) }));
}
