import { groupPath } from "@/lib/content/groups/list-address";
import type { ItemKey } from "@/lib/content/releases/vocabulary";
import type { Environment } from "@/lib/labels/vocabulary";

/** Where an item of a release or of a policy table is looked at and edited. */
export function itemAddress({ family, key }: ItemKey, environment: Environment): string {
  const query = (values: Readonly<Record<string, string>>) =>
    new URLSearchParams({ ...values, environment }).toString();
  switch (family) {
    case "group":
      return groupPath({ name: key }, environment);
    case "message":
      return `/consumermessages/manage?${query({ category: key })}`;
    case "vehicle_data":
      return `/vehicledata?${query({ q: key })}`;
    case "module_config":
      return `/moduleconfig?${query({})}`;
    case "app":
      return `/applications/${encodeURIComponent(key)}`;
  }
}
