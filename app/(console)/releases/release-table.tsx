import { Link } from "@/app/_components/ui/link";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import { Author } from "@/app/_releases/author";
import { KindChip } from "@/app/_releases/kind-chip";
import type { ReleaseOutlineJson } from "@/lib/content/releases/answer-schema";
import { formatNumber } from "@/lib/labels/format-number";

/** The releases, newest first: the whole history of production. */
export function ReleaseTable({ releases }: Readonly<{ releases: readonly ReleaseOutlineJson[] }>) {
  return (
    <div className="overflow-x-auto rounded-card border border-line bg-surface">
      <table className="w-full text-left text-table">
        <caption className="sr-only">Releases</caption>
        <thead className="text-xs text-muted">
          <tr className="border-b border-line">
            <th scope="col" className="px-4 py-2 font-medium">
              Release
            </th>
            <th scope="col" className="px-3 py-2 font-medium max-md:hidden">
              Kind
            </th>
            <th scope="col" className="px-3 py-2 text-right font-medium">
              Items
            </th>
            <th scope="col" className="px-3 py-2 font-medium max-md:hidden">
              By
            </th>
            <th scope="col" className="px-4 py-2 font-medium">
              When
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {releases.map(({ number, kind, name, note, author, at, item_count: count }) => (
            <tr key={number} className="relative align-top hover:bg-hover">
              <th scope="row" className="px-4 py-2 font-normal">
                <Link
                  href={`/releases/${number}`}
                  className="font-medium text-text no-underline after:absolute after:inset-0 hover:underline"
                >
                  <span className="tabular-nums">#{number}</span>
                  {name !== null && ` ${name}`}
                </Link>
                {note !== null && <p className="line-clamp-1 max-w-prose text-muted">{note}</p>}
                <p className="mt-1 flex flex-wrap items-center gap-2 md:hidden">
                  <KindChip kind={kind} />
                  <span className="text-muted">
                    by <Author author={author} />
                  </span>
                </p>
              </th>
              <td className="px-3 py-2 max-md:hidden">
                <KindChip kind={kind} />
              </td>
              <td className="px-3 py-2 text-right tabular-nums">{formatNumber(count)}</td>
              <td className="px-3 py-2 max-md:hidden">
                <Author author={author} />
              </td>
              <td className="px-4 py-2 whitespace-nowrap text-muted">
                <TimeAgo at={at} className="relative z-1" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
