import { Link } from "@/app/_components/ui/link";
import type { ReactNode } from "react";
import type { Environment } from "@/lib/vocabulary/terms";
import type { GroupLink } from "@/lib/records/vehicle-data/console-rows";

export function UsedBy({
  groups,
  environment,
  children,
}: Readonly<{ groups: readonly GroupLink[]; environment: Environment; children: ReactNode }>) {
  if (groups.length === 0) return null;
  return (
    <div className="text-text">
      <p>{children}</p>
      <ul className="mt-1 max-h-32 list-disc space-y-0.5 overflow-y-auto pl-5">
        {groups.map(({ id, name }) => (
          <li key={id}>
            <Link href={`/functionalgroups/manage?id=${id}&environment=${environment}`}>{name}</Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
