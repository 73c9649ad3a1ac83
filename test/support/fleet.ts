import { allVehicles, dimensions } from "@/lib/fleet/dimensions";
import { addCounts } from "@/lib/fleet/stored-counts";
import { namesOf } from "@/lib/vocabulary/members";
import type { Environment } from "@/lib/vocabulary/terms";

/** Stores 20 of every counter in the current hour, of the value "1", or in `answers` of every kind. */
export async function storeFleet(environment: Environment, at = Date.now()): Promise<void> {
  const values = (dimension: string) => (dimension === "answers" ? ["table", "repaired", "refused"] : ["1"]);
  await addCounts(
    at,
    namesOf(dimensions).flatMap((dimension) =>
      values(dimension).map((value) => {
        const counters = Object.fromEntries(dimensions[dimension].map((counter) => [counter, 20]));
        return { environment, cell: allVehicles, dimension, value, counters };
      }),
    ),
  );
}
