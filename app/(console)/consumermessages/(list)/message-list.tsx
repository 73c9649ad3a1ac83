"use client";
import { MessagesSquare } from "lucide-react";
import { useMemo } from "react";
import type { ListFilter } from "@/app/_components/list/list-filters";
import { dialogOnDemand } from "@/app/_components/overlay/on-demand";
import { recordKinds } from "@/app/_records/kinds";
import type { ListedKind } from "@/app/_records/listed-kind";
import { RecordList } from "@/app/_records/record-list";
import type { MessageOverview } from "@/lib/content/messages/console-queries";
import type { MessagesPageQuery } from "@/lib/content/messages/console-schema";
import { mainLanguage } from "@/lib/content/messages/completeness";
import type { NamedLanguage } from "@/lib/labels/language-names";
import type { MessageRow } from "@/lib/content/messages/overview";
import { buildColumns, toRecord } from "./message-columns";
import { UpdateLanguagesButton } from "./update-languages-button";

const DeletionDialog = dialogOnDemand(() => import("../deletion-dialog").then((m) => m.DeletionDialog));

const kind: ListedKind<MessageRow> = {
  ...recordKinds.messages,
  description: "What drivers read and hear, in every language of the vehicle.",
  icon: MessagesSquare,
  search: "Search names and texts",
  exported: { path: "/api/v1/ui/messages/export", csv: "Table of texts (CSV)", json: "Messages (JSON)" },
  tableName: "messages",
  place: "cursor",
  record: toRecord,
  labelOf: ({ category }) => category,
  isChosenByRow: true,
  nothing: {
    staging: {
      title: "No messages yet",
      text: "Messages are the texts that head units show and speak: questions before data is used, notices, help. A new one is seen by vehicles after its promotion.",
    },
    production: {
      title: "No messages in production",
      text: "Messages are written in staging; vehicles receive them after their promotion.",
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

/** The messages of one environment, how far they are translated, and what waits for its promotion. */
export function MessageList({
  overview: { rows, total, first, count, counts, waiting, matching, languages },
  query,
}: Readonly<{ overview: Omit<MessageOverview, "sizes">; query: MessagesPageQuery }>) {
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
      rows={rows}
      page={{ first, count: rows.length, total, unfiltered: count }}
      counts={counts}
      waiting={waiting.length}
      matching={matching}
      actions={<UpdateLanguagesButton count={languages.length} />}
      renderRemoval={(message, _, close) => <DeletionDialog message={message} onClose={close} />}
    />
  );
}
