import { Breakable } from "@/app/_components/ui/breakable";
import { Chip } from "@/app/_components/ui/chip";
import type { DataColumn } from "@/app/_components/list/table/data-column";
import type { ListedRecord } from "@/app/_records/listed-kind";
import { recordColumns } from "@/app/_records/record-columns";
import type { NamedLanguage } from "@/lib/labels/language-names";
import type { MessageRow } from "@/lib/content/messages/overview";
import { UsedBy } from "./used-by";

export const toRecord = ({ category, ...row }: MessageRow): ListedRecord => ({ ...row, name: category });

/** Columns of the list; the same for the same languages. */
export function buildColumns(
  languages: readonly NamedLanguage[],
  previewLanguage: NamedLanguage,
): readonly DataColumn<MessageRow>[] {
  const nameOf = (id: string) => languages.find((one) => one.id === id)?.name ?? id;
  return [
    {
      id: "name",
      header: "Category",
      isPrimary: true,
      sortKey: "name",
      className: "max-w-56 md:max-lg:max-w-44",
      cell: ({ category }) => <Breakable text={category} />,
    },
    {
      id: "preview",
      header: "Text",
      className: "max-w-96 md:min-w-32 lg:min-w-40",
      cell: (row) => (
        <Preview row={row} language={previewLanguage} foundIn={row.found && nameOf(row.found.languageId)} />
      ),
    },
    {
      id: "complete",
      header: "Completeness",
      sortKey: "complete",
      // Between cards and wide tables the text needs the room.
      hiddenBelow: "lg",
      cell: ({ languageCount, partialCount }) => (
        <CompletenessBar count={languageCount} partial={partialCount} total={languages.length} />
      ),
    },
    {
      id: "uses",
      header: "Used by",
      className: "md:max-w-36",
      hiddenBelow: "lg",
      cell: ({ uses }) => <UsedBy uses={uses} />,
    },
    ...recordColumns(toRecord),
  ];
}

function Preview({
  row: { preview, found },
  language,
  foundIn,
}: Readonly<{ row: MessageRow; language: NamedLanguage; foundIn: string | null }>) {
  return (
    <>
      {preview === null ? (
        <Chip tone="plain">{`No ${language.name}`}</Chip>
      ) : (
        <span dir="auto" lang={language.id} className="line-clamp-2 wrap-anywhere text-muted">
          {preview}
        </span>
      )}
      {found && (
        <span className="mt-1 line-clamp-2 text-xs wrap-anywhere">
          <span className="font-medium">{`Found in ${foundIn ?? found.languageId}: `}</span>
          <bdi lang={found.languageId} className="text-muted">
            {found.text}
          </bdi>
        </span>
      )}
    </>
  );
}

/** In how many languages a message can be read; those that lack fields of the English text are told apart. */
function CompletenessBar({ count, partial, total }: Readonly<{ count: number; partial: number; total: number }>) {
  const width = (part: number) => ({ width: `${total === 0 ? 0 : (part / total) * 100}%` });
  return (
    <div className="min-w-24">
      <p className="whitespace-nowrap tabular-nums">
        {count}/{total} <span className="text-muted">languages</span>
      </p>
      <div aria-hidden="true" className="mt-1 flex h-1 max-w-40 overflow-hidden rounded-full bg-active">
        <span className="bg-good" style={width(count - partial)} />
        <span className="bg-warn" style={width(partial)} />
      </div>
      {partial > 0 && <p className="mt-0.5 text-xs text-warn tabular-nums">{`${partial} partial`}</p>}
    </div>
  );
}
