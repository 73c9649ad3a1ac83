import type { AnsweredFigures } from "@/lib/fleet/figures/answer-schema";
import type { FleetPageQuery } from "@/lib/fleet/figures/schema";

type Filter = { readonly [Name in keyof FleetPageQuery]?: FleetPageQuery[Name] | undefined };

/** The page for a range and vehicles. Production is what it shows without an environment. */
export function fleetHref({ range, environment, software, country }: Filter, section?: string): string {
  const given = Object.entries({
    range,
    environment: environment === "production" ? undefined : environment,
    software,
    country,
  });
  const query = new URLSearchParams(given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
  const address = query.size === 0 ? "/fleet" : `/fleet?${query.toString()}`;
  return section === undefined ? address : `${address}#${section}`;
}

/** The figures of a route as CSV, of the same vehicles and time. */
export function figuresHref(
  name: string,
  { from, to, step, environment, software, country }: Omit<AnsweredFigures, "share" | "total" | "steps">,
): string {
  const query = new URLSearchParams({
    ...{ from, to, step, environment, format: "csv" },
    ...(software !== null && { software }),
    ...(country !== null && { country }),
  });
  return `/api/v1/fleet/${name}?${query.toString()}`;
}
