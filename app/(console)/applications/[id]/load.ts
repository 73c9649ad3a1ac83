import "server-only";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import {
  findAddressedVersion,
  loadApplicationDetail,
  type ApplicationDetail,
} from "@/lib/apps/applications/console/detail-queries";

/**
 * The version that the address of a page means. A uuid leads on to the address of its newest version, an unknown
 * address to the not-found page. Asked once for each request, by the layout before anything is sent: so the status of
 * the answer is right.
 */
export const requireAddressedId = cache(async (parameter: string): Promise<number> => {
  const found = await findAddressedVersion(decode(parameter));
  if (found === null) notFound();
  if (!found.isCanonical) redirect(`/applications/${found.id}`);
  return found.id;
});

/** What the page shows; loaded once for page and title. */
export const requireDetail = cache(async (parameter: string): Promise<ApplicationDetail> => {
  const detail = await loadApplicationDetail(await requireAddressedId(parameter));
  // It may have been deleted since the layout looked.
  if (detail === null) notFound();
  return detail;
});

function decode(parameter: string): string {
  try {
    return decodeURIComponent(parameter);
  } catch {
    return parameter;
  }
}
