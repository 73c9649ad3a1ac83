"use client";
import { MessagesSquare, Languages } from "lucide-react";
import { useMemo } from "react";
import type { ListFilter } from "@/app/_components/list/list-filters";
import { dialogOnDemand } from "@/app/_components/overlay/on-demand";
import { recordKinds } from "@/app/_records/kinds";
import type { ListedKind } from "@/app/_records/listed-kind";
import type { ListedRecord } from "@/lib/records/store/listing";
import { RecordList } from "@/app/_records/record-list";
import type { MessageOverview } from "@/lib/records/messages/console-queries";
import type { MessagesPageQuery } from "@/lib/records/messages/console-schema";
import { mainLanguage } from "@/lib/vocabulary/terms";
import type { NamedLanguage } from "@/lib/vocabulary/language-names";
import type { MessageRow } from "@/lib/records/messages/overview";
import { Button } from "@/app/_components/ui/button";
import { showDone } from "@/app/_components/feedback/show-toast";
import { useAction } from "@/app/_components/hooks/use-action";
import { get } from "@/lib/platform/http/client";
import { Breakable } from "@/app/_components/ui/breakable";
import { Chip } from "@/app/_components/ui/chip";
import type { DataColumn } from "@/app/_components/list/table/data-column";
import { recordColumns } from "@/app/_records/record-columns";
import { UsedBy } from "../used-by";

const RemovalDialog = dialogOnDemand(() => import("../removal-dialog").then((m) => m.RemovalDialog));

const kind: ListedKind<MessageRow> = {
  ...recordKinds.messages,
  description: "What drivers read and hear, in every language.",
  icon: MessagesSquare,
  search: "Search names and texts",
  exported: { path: "/api/v1/ui/messages/export", csv: "Table of texts (CSV)", json: "Messages (JSON)" },
  place: "cursor",
  record: toRecord,
  labelOf: ({ category }) => category,
  isChosenByRow: true,
  nothing: {
    staging: {
      title: "No messages yet",
      text: "Messages are the texts that head units show and speak: consent prompts, notices, help. Vehicles receive a new message once it is published.",
    },
    production: {
      title: "No messages in production",
      text: "You write messages in staging. Vehicles receive them once they are published.",
    },
  },
};

function buildFilters(languages: readonly NamedLanguage[]): readonly ListFilter[] {
  const choices = languages.map(({ id, name }) => ({ value: id, label: `${name} · ${id}`, short: name }));
  return [
    { label: "Missing in", parameter: "missing", choices },
    {
      label: "Use",
      parameter: "use",
      choices: [
        { value: "used", label: "Consent prompt of a group" },
        { value: "unused", label: "Used by no group" },
      ],
    },
    { label: "Show in", parameter: "lang", choices, anyLabel: "English (United States)", isView: true },
  ];
}

export function MessageList({
  overview,
  query,
}: Readonly<{ overview: Omit<MessageOverview, "sizes">; query: MessagesPageQuery }>) {
  const { languages } = overview;
  const languageId = query.lang ?? mainLanguage;
  const columns = useMemo(() => {
    const shown = languages.find(({ id }) => id === languageId) ?? { id: languageId, name: languageId };
    return buildColumns(languages, shown);
  }, [languages, languageId]);
  return (
    <RecordList
      kind={kind}
      query={query}
      columns={columns}
      filters={buildFilters(languages)}
      list={overview}
      matching={overview.matching}
      actions={<UpdateLanguagesButton count={languages.length} />}
      renderRemoval={(message, isRestore, close) => <RemovalDialog {...{ message, isRestore }} onClose={close} />}
    />
  );
}

function UpdateLanguagesButton({ count }: Readonly<{ count: number }>) {
  const update = useAction("/api/v1/messages/update");

  async function run() {
    if (!(await update.tryRun())) return;
    const now = await countLanguages();
    if (now === null) showDone("Language list updated");
    else if (now > count) showDone(`Language list updated: ${now - count} added, ${now} in all`);
    else showDone(`Language list is up to date with ${now} languages`);
  }

  return (
    <Button needsServer needs="edit" busy={update.isRunning} onClick={() => void run()}>
      <Languages aria-hidden="true" />
      Update language list
    </Button>
  );
}

/** The empty message has every known language; null if it cannot be read. */
async function countLanguages(): Promise<number | null> {
  const answer = (await get("/api/v1/messages?template=true").catch(() => null)) as {
    readonly messages: readonly { readonly languages: readonly unknown[] }[];
  } | null;
  return answer?.messages[0]?.languages.length ?? null;
}

function toRecord({ category, ...row }: MessageRow): ListedRecord {
  return { ...row, name: category };
}

/** The same object for the same languages. */
function buildColumns(
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

/** Languages that lack fields of the English text count separately. */
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
