import { PartProblem } from "@/app/_components/feedback/part-problem";
import { loadAppNames } from "@/lib/apps/applications/queries";
import { loadPart } from "@/lib/console/load-part";
import { readAppList } from "@/lib/console/app-list";
import type { TableSource } from "@/lib/console/policy-table-query";
import { compareTables } from "@/lib/simulator/answers/simulation";
import { environments } from "@/lib/labels/vocabulary";
import { loadSources } from "../load-sources";
import { nameOf } from "../sources";
import { CompareForm } from "./compare-form";
import { Comparison } from "./comparison";

/** How two tables differ; without a choice, what staging would bring to production. */
export async function CompareTab({
  from,
  to,
  apps,
}: Readonly<{ from: TableSource; to: TableSource; apps: string | undefined }>) {
  const uuids = readAppList(apps);
  const [names, sources, comparison] = await Promise.all([
    loadAppNames(uuids),
    loadSources([from, to]),
    loadPart("comparison of policy tables", () =>
      compareTables({ from: toSource(from), to: toSource(to), apps: uuids }),
    ),
  ]);
  return (
    <>
      <CompareForm {...{ from, to, sources }} apps={uuids.map((uuid) => ({ uuid, name: names.get(uuid) ?? uuid }))} />
      {"value" in comparison ? (
        <Comparison
          comparison={comparison.value}
          names={{ from: nameOf(from, sources), to: nameOf(to, sources) }}
          environment={to === "staging" || from === "staging" ? "staging" : "production"}
          isReviewable={[from, to].toSorted().join() === "production,staging"}
        />
      ) : (
        <PartProblem sentence="The two tables could not be compared." {...comparison} />
      )}
    </>
  );
}

function toSource(source: TableSource) {
  return environments.find((name) => name === source) ?? Number(source);
}
