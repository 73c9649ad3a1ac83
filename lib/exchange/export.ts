import "server-only";
import { loadAppItems } from "@/lib/exchange/apps";
import { loadItems } from "@/lib/exchange/families";
import { canonical } from "@/lib/content/records/file-form";
import { exchangeFormat, type ExportQuery } from "@/lib/exchange/schema";
import { atOnePointInTime } from "@/lib/policy/snapshot/load-snapshot";
import { fileForm, fileForms } from "@/lib/content/file-forms";
import { requireRelease } from "@/lib/content/releases/queries";
import { namesOf } from "@/lib/labels/members";
import { byCodeUnit } from "@/lib/labels/order";

/**
 * Everything that a view holds, in its canonical form (`exchange.md` X1, X2): equal content gives equal bytes. Certificates
 * and keys are no part of it.
 *
 * @throws AppError 404 for a release that does not exist
 */
export async function exportDocument(view: ExportQuery): Promise<object> {
  if (view.release !== undefined) await requireRelease(view.release);
  return atOnePointInTime(async (session) => {
    const document: Record<string, unknown> = { format: exchangeFormat };
    for (const family of namesOf(fileForms)) {
      const items = (await loadItems(family, view, session)).toSorted((a, b) => byCodeUnit(a.key, b.key));
      const { member, isSingle = false } = fileForm(family);
      if (!isSingle) document[member] = items.map(({ item }) => item);
      else if (items.length > 0) document[member] = items[0]?.item;
    }
    document.apps = canonical(await loadAppItems(session));
    return Object.fromEntries(Object.entries(document).toSorted(([a], [b]) => byCodeUnit(a, b)));
  });
}
