import "server-only";
import { loadAppItems } from "@/lib/exchange/apps";
import { exchangeFamilies } from "@/lib/exchange/families";
import { canonical } from "@/lib/exchange/items";
import { exchangeFormat, type ExportQuery } from "@/lib/exchange/schema";
import { atOnePointInTime } from "@/lib/policy/snapshot/load-snapshot";
import { requireRelease } from "@/lib/content/releases/queries";
import { byCodeUnit } from "@/lib/labels/order";

const members = { message: "messages", vehicle_data: "vehicle_data", group: "groups" } as const;

/**
 * Everything that a view holds, in its canonical form (`exchange.md` X1, X2): equal content gives equal bytes. Certificates
 * and keys are no part of it.
 *
 * @throws DatabaseUnavailable; AppError 404 for a release that does not exist
 */
export async function exportDocument(view: ExportQuery): Promise<object> {
  if (view.release !== undefined) await requireRelease(view.release);
  return atOnePointInTime(async (session) => {
    const document: Record<string, unknown> = { format: exchangeFormat };
    for (const { family, load } of exchangeFamilies) {
      const items = [...(await load(view, session))].sort((a, b) => byCodeUnit(a.key, b.key)).map(({ item }) => item);
      if (family !== "module_config") document[members[family]] = items;
      else if (items.length > 0) document.module_config = items[0];
    }
    document.apps = canonical(await loadAppItems(session));
    return Object.fromEntries(Object.entries(document).toSorted(([a], [b]) => byCodeUnit(a, b)));
  });
}
