import type { ReactNode } from "react";
import { PlainTable } from "@/app/_components/list/table/plain-table";
import { Link } from "@/app/_components/ui/link";
import { Fold } from "@/app/_components/ui/outline/fold";
import { Count, shareText } from "@/app/_fleet/count";
import { ShareBar } from "@/app/_fleet/share-bar";
import { ChartSection } from "./chart-section";

const shownValues = 8;
const maxValues = 200;

interface Value {
  readonly value: string;
  readonly count: number | null;
  readonly share: number | null;
}

export function ValueSection({
  id,
  title,
  noun,
  description,
  values,
  share,
  csvHref,
  hrefOf,
  empty,
}: Readonly<{
  id: string;
  title: string;
  noun: string;
  description?: ReactNode;
  values: readonly Value[];
  share: number | null;
  csvHref: string;
  /** Shows the page for a value. */
  hrefOf?: (value: string) => string;
  empty: ReactNode;
}>) {
  const greatest = Math.max(0.0001, ...values.map((one) => one.share ?? 0));
  const more = values.slice(shownValues, maxValues);
  const table = (rows: readonly Value[]) => (
    <PlainTable titles={[noun, "Share", "Requests"]} looks={{ Requests: "text-right", Share: "sm:w-[42%]" }}>
      {rows.map(({ value, count, share: part }) => (
        <tr key={value}>
          <td className="max-w-48 px-4 py-1.5 max-sm:max-w-28">
            <span className="block truncate">
              {hrefOf === undefined ? (
                value
              ) : (
                <Link href={hrefOf(value)} className="font-medium">
                  {value}
                </Link>
              )}
            </span>
          </td>
          <td className="px-4 py-1.5">
            <span className="flex items-center gap-3">
              <ShareBar share={part === null ? null : part / greatest} />
              <span className="w-12 shrink-0 text-right tabular-nums">{shareText(part)}</span>
            </span>
          </td>
          <td className="px-4 py-1.5 text-right whitespace-nowrap tabular-nums">
            <Count value={count} />
          </td>
        </tr>
      ))}
    </PlainTable>
  );
  return (
    <ChartSection id={id} title={title} description={description} share={share} csvHref={csvHref} flush>
      {values.length === 0 ? (
        <p className="px-4 py-3 text-table text-muted">{empty}</p>
      ) : (
        <>
          {table(values.slice(0, shownValues))}
          {more.length > 0 && (
            <div className="border-t border-line px-4 py-2">
              <Fold title={`${more.length} more`}>
                <div className="-mx-4">{table(more)}</div>
              </Fold>
            </div>
          )}
        </>
      )}
    </ChartSection>
  );
}
