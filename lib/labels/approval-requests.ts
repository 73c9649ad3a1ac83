import { plural } from "@/lib/labels/format-number";
import type { approvalKinds } from "@/lib/labels/vocabulary";

/** The heading of a request for approval (`people.md` P9a). Safe in the browser. */
export function describeRequest({
  kind,
  items,
  returned_to: target,
}: {
  readonly kind: (typeof approvalKinds)[number];
  readonly items: readonly { readonly title: string }[];
  readonly returned_to: number | null;
}): string {
  const app = items[0]?.title ?? "an app";
  if (kind === "return") return `Roll back to release #${target ?? 0}`;
  if (kind === "decision") return `Approve ${app} for production`;
  if (kind === "flag") return `Give ${app} more permissions in production`;
  return `Publish ${plural(items.length, "item")}`;
}
