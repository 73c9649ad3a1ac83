import { describeLevels, markedLevels, markLevels } from "@/app/_components/rights/level-marks";
import { PlainTable } from "@/app/_components/list/table/plain-table";
import { Breakable } from "@/app/_components/ui/breakable";
import { Link } from "@/app/_components/ui/link";
import { Section } from "@/app/_components/ui/section";
import type { PermissionUseAnswer } from "@/app/(console)/rpcs/schema";
import { groupPath } from "@/lib/records/groups/list-address";
import { formatNumber } from "@/lib/vocabulary/format-number";

type Says = PermissionUseAnswer["groups"]["items"][number]["staging"];

export function GroupsSection({ use: { rpc, parameter, groups } }: Readonly<{ use: PermissionUseAnswer }>) {
  const { items, total } = groups;
  const filter = new URLSearchParams({ environment: "staging", rpc, ...(parameter !== null && { param: parameter }) });
  return (
    <Section
      title="Groups that contain it"
      description={items.length === 0 ? "No group, so no app may use it." : markedLevels}
      actions={
        total > 1 && (
          <Link href={`/functionalgroups?${filter.toString()}`} className="text-table">
            {`All ${formatNumber(total)} as a list`}
          </Link>
        )
      }
      flush={items.length > 0}
    >
      {items.length > 0 && (
        <PlainTable
          titles={["Group", "Staging", "Production"]}
          looks={{ Staging: "whitespace-nowrap", Production: "whitespace-nowrap" }}
        >
          {items.map(({ name, prompt, staging, production }) => (
            <tr key={name} className="align-top">
              <th scope="row" className="px-4 py-1.5 font-normal">
                <Link
                  href={groupPath({ name }, staging === null ? "production" : "staging")}
                  className="font-medium no-underline hover:underline"
                >
                  <Breakable text={name} />
                </Link>
                {prompt !== null && <span className="block text-xs text-muted">{`Asks the driver: ${prompt}`}</span>}
              </th>
              <Levels says={staging} />
              <Levels says={production} />
            </tr>
          ))}
        </PlainTable>
      )}
    </Section>
  );
}

function Levels({ says }: Readonly<{ says: Says }>) {
  if (says?.is_veto) {
    return <td className="px-4 py-1.5 text-xs text-bad">Forbids it: lists no parameter</td>;
  }
  const words = says === null ? "Does not give it" : describeLevels(says);
  return (
    <td aria-label={words} title={words} className="px-4 py-1.5 font-mono text-xs whitespace-nowrap">
      {says === null ? "–" : markLevels(says)}
    </td>
  );
}
