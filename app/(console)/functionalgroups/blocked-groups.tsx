import { Ban } from "lucide-react";
import Link from "next/link";
import {
  type Prerequisite,
  prerequisiteKey,
  type PromotionItem,
} from "@/app/(console)/functionalgroups/promotion-plan";
import { groupPath } from "@/lib/groups/list-address";
import { plural } from "@/lib/words/format-number";

/** The groups that have to wait, each with what for. */
export function BlockedGroups({ items }: Readonly<{ items: readonly PromotionItem[] }>) {
  if (items.length === 0) return null;
  return (
    <section className="space-y-1.5">
      <h3 className="flex items-center gap-1.5 font-semibold text-bad">
        <Ban aria-hidden="true" className="size-4" />
        {plural(items.length, "group is blocked", "groups are blocked")}
      </h3>
      <ul className="max-h-56 space-y-1.5 overflow-y-auto">
        {items.map((item) => (
          <Blocked key={item.id} item={item} />
        ))}
      </ul>
    </section>
  );
}

function Blocked({ item }: Readonly<{ item: PromotionItem }>) {
  return (
    <li className="rounded-card border border-bad-line bg-bad-soft px-3 py-2">
      <Link href={groupPath(item, "staging")} prefetch={false} className="font-medium">
        {item.name}
      </Link>
      <ul className="text-text">
        {item.missing.map((one) => (
          <li key={prerequisiteKey(one)}>{whyBlocked(one)}</li>
        ))}
      </ul>
    </li>
  );
}

function whyBlocked({ kind, name, id }: Prerequisite) {
  if (kind === "vehicle_data") {
    const text = `Its custom parameter ${name} is in staging only; production would leave it out.`;
    return id === null ? `${text} Take it out of the group, or save and promote the vehicle data.` : text;
  }
  if (id === null) return `Its consent prompt ${name} is neither in production nor in staging. Choose another one.`;
  return (
    <>
      Its consent prompt{" "}
      <Link href={`/consumermessages/manage?id=${id}&environment=staging`} prefetch={false}>
        {name}
      </Link>{" "}
      is in staging only: drivers could not be asked.
    </>
  );
}
