import { loadAppNames } from "@/lib/apps/applications/app-names";
import { maxAppsInAddress, readAppList } from "@/lib/console/app-list";
import type { TableSource } from "@/lib/console/policy-table-query";
import { loadSettings } from "@/lib/platform/settings";
import type { CoreVersion } from "@/lib/labels/head-units";
import { loadSources } from "../load-sources";
import { LazySimulator } from "./lazy-simulator";

/** What one vehicle would receive, and why. With apps in the address it is run at once. */
export async function VehicleTab({
  of,
  ids,
  headUnit,
  apps,
}: Readonly<{ of: TableSource; ids: "full" | "short"; headUnit: CoreVersion; apps: string | undefined }>) {
  const uuids = readAppList(apps);
  const [names, sources] = await Promise.all([loadAppNames(uuids), loadSources([of])]);
  return (
    <LazySimulator
      // Another address is another start, and so is the tab without one.
      key={`${of} ${ids} ${headUnit} ${uuids.join()}`}
      initial={{
        ...{ how: "apps", request: "", of, ids, headUnit },
        apps: uuids.slice(0, maxAppsInAddress).map((uuid) => ({ uuid, name: names.get(uuid) ?? uuid })),
      }}
      runsAtOnce={uuids.length > 0}
      sources={sources}
      origin={loadSettings().publicBaseUrl}
    />
  );
}
