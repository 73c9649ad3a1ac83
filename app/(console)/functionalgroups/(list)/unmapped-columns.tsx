import { CircleCheck, CircleDashed } from "lucide-react";
import { Link } from "@/app/_components/ui/link";
import { Breakable } from "@/app/_components/ui/breakable";
import { Chip } from "@/app/_components/ui/chip";
import type { DataColumn } from "@/app/_components/list/table/data-column";
import type { UncoveredPermission } from "@/lib/content/groups/coverage";

function Mapped({ isMapped }: Readonly<{ isMapped: boolean }>) {
  return isMapped ? (
    <Chip tone="good" icon={CircleCheck}>
      In a group
    </Chip>
  ) : (
    <Chip tone="warn" icon={CircleDashed}>
      Unmapped
    </Chip>
  );
}

/** What the list says about a permission that is in no group. */
export const unmappedColumns: readonly DataColumn<UncoveredPermission>[] = [
  {
    id: "name",
    header: "Permission",
    isPrimary: true,
    cell: ({ name, isReported }) => (
      <>
        <Breakable text={name} />
        {!isReported && (
          <span className="block text-xs font-normal text-muted">The app directory no longer reports it</span>
        )}
      </>
    ),
  },
  { id: "type", header: "Type", className: "w-28", cell: ({ type }) => (type === "RPC" ? "RPC" : "Parameter") },
  {
    id: "parents",
    header: "Belongs to",
    className: "max-w-96 text-muted",
    cell: ({ parents }) => (parents.length === 0 ? "–" : parents.join(", ")),
  },
  {
    id: "staging",
    header: "Staging",
    className: "w-32",
    cell: ({ isMapped }) => <Mapped isMapped={isMapped.staging} />,
  },
  {
    id: "production",
    header: "Production",
    className: "w-32",
    cell: ({ isMapped }) => <Mapped isMapped={isMapped.production} />,
  },
  {
    id: "apps",
    header: "Apps",
    className: "w-32",
    cell: ({ name }) => (
      <Link href={`/applications?state=all&perm=${encodeURIComponent(name)}`} className="relative z-1">
        Requesting apps<span className="sr-only"> for {name}</span>
      </Link>
    ),
  },
];
