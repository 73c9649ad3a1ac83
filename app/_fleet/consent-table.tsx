import { PlainTable } from "@/app/_components/list/table/plain-table";
import { Breakable } from "@/app/_components/ui/breakable";
import { Link } from "@/app/_components/ui/link";
import { Count, shareText } from "@/app/_fleet/count";
import { ShareBar } from "@/app/_fleet/share-bar";
import type { GroupFigures } from "@/lib/fleet/figures/answer-schema";
import { groupPath } from "@/lib/records/groups/list-address";

export function ConsentTable({ groups }: Readonly<Pick<GroupFigures, "groups">>) {
  return (
    <PlainTable
      titles={["Group", "Share of yes", "Yes", "No"]}
      looks={{ "Share of yes": "w-[36%]", Yes: "text-right", No: "text-right" }}
    >
      {groups.map(({ name, yes, no, share }) => (
        <tr key={name}>
          <td className="px-4 py-1.5">
            <Link href={groupPath({ name }, "production")} className="font-medium">
              <Breakable text={name} />
            </Link>
          </td>
          <td className="px-4 py-1.5">
            <span className="flex items-center gap-3">
              <ShareBar share={share} className="fill-chart-2" rest="fill-chart-3" />
              <span className="w-12 shrink-0 text-right tabular-nums">{shareText(share)}</span>
            </span>
          </td>
          <td className="px-4 py-1.5 text-right whitespace-nowrap tabular-nums">
            <Count value={yes} />
          </td>
          <td className="px-4 py-1.5 text-right whitespace-nowrap tabular-nums">
            <Count value={no} />
          </td>
        </tr>
      ))}
    </PlainTable>
  );
}
