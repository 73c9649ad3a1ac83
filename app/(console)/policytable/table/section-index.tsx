import { Link } from "@/app/_components/ui/link";
import type { SectionOutline } from "@/lib/policy/outline";
import type { Environment } from "@/lib/labels/vocabulary";
import { formatNumber } from "@/lib/labels/format-number";

/** The sections of the table with counts and sizes; each is a link that opens it in the tree. */
export function SectionIndex({
  sections,
  environment,
}: Readonly<{ sections: readonly SectionOutline[]; environment: Environment }>) {
  const total = sections.reduce((sum, { bytes }) => sum + bytes, 0);
  return (
    <nav aria-label="Sections of the table" className="rounded-card border border-line bg-surface">
      <ul className="divide-y divide-line text-table">
        {sections.map(({ name, count, unit, bytes }) => (
          <li key={name}>
            <Link
              href={`?environment=${environment}&path=policy_table.${name}`}
              className="block px-4 py-2 text-text no-underline hover:bg-hover"
            >
              <span className="block truncate font-mono text-xs font-medium">{name}</span>
              <span className="flex justify-between gap-2 text-muted tabular-nums">
                <span>{`${formatNumber(count)} ${unit}`}</span>
                <span>{kilobytes(bytes)}</span>
              </span>
            </Link>
          </li>
        ))}
        <li className="flex justify-between gap-2 px-4 py-2 text-muted tabular-nums">
          <span>Whole table</span>
          <span>{kilobytes(total)}</span>
        </li>
      </ul>
    </nav>
  );
}

function kilobytes(bytes: number): string {
  const count = bytes / 1000;
  return `${count.toLocaleString("en", { maximumFractionDigits: count < 10 ? 1 : 0 })} kB`;
}
