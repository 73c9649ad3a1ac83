import { rateCompleteness, type MessageRecord } from "@/lib/records/messages/rules";
import type { MessageFilters, MessageSort } from "@/lib/records/messages/console-schema";
import { countByState, isInState, type StateCounts } from "@/lib/records/store/listing";
import { byLowerCase } from "@/lib/vocabulary/order";
import type { MessageTexts } from "@/lib/policy/table/snapshot";
import { mainLanguage, type RecordStatus } from "@/lib/vocabulary/terms";

export interface PromptUse {
  readonly category: string;
  readonly name: string;
  /** The group's newest record in staging; null if it does not use this message there. */
  readonly stagingId: number | null;
  readonly productionId: number | null;
  readonly isWaiting: boolean;
}

export interface FoundText {
  readonly languageId: string;
  readonly text: string;
}

export interface MessageRow {
  readonly id: number;
  readonly category: string;
  readonly status: RecordStatus;
  readonly isDeleted: boolean;
  /** Not in production now; an earlier, deleted message does not count. */
  readonly isNew: boolean;
  readonly changedAt: string;
  /** The text in the chosen language, shortened; null if there is none. */
  readonly preview: string | null;
  readonly found: FoundText | null;
  readonly languageCount: number;
  /** Number of languages that lack a field which the English text has. */
  readonly partialCount: number;
  readonly uses: readonly PromptUse[];
}

export interface OverviewSource {
  readonly records: readonly MessageRecord[];
  readonly inProduction: Pick<ReadonlySet<string>, "has">;
  readonly uses: readonly PromptUse[];
}

const longestPreview = 180;

export function buildOverview(source: OverviewSource, query: MessageFilters): MessageRow[] {
  const rows = source.records
    .filter((record) => query.missing === undefined || isMissing(record, query.missing))
    .map((record) => {
      const isNew = !source.inProduction.has(record.category);
      const uses = source.uses.filter(({ category }) => category === record.category);
      return buildRow(record, { isNew, uses, query });
    })
    .filter((row) => row !== null)
    .filter((row) => isInState(row, row.isNew, query.state ?? "all"))
    .filter(({ uses }) => query.use === undefined || uses.length > 0 === (query.use === "used"));
  return rows.sort(orderBy(query.sort));
}

export function countMessageStates({
  records,
  inProduction,
}: Pick<OverviewSource, "records" | "inProduction">): StateCounts {
  return countByState(records, ({ category }) => !inProduction.has(category));
}

function buildRow(
  record: MessageRecord,
  {
    isNew,
    uses,
    query: { q, lang = mainLanguage },
  }: {
    readonly isNew: boolean;
    readonly uses: readonly PromptUse[];
    readonly query: { readonly q?: string | undefined; readonly lang?: string | undefined };
  },
): MessageRow | null {
  const { id, category, status, isDeleted, updatedAt, languages } = record;
  const textsOf = (languageId: string) => languages.find((texts) => texts.languageId === languageId) ?? null;
  const english = textsOf(mainLanguage);
  const shown = textsOf(lang);
  const preview = shown && choosePreview(shown);
  const found = q === undefined ? null : findText(record, q);
  if (q !== undefined && found === null && !includes(category, q)) return null;
  const states = languages.map((texts) => rateCompleteness(texts, english));
  return {
    id,
    category,
    status,
    isDeleted,
    isNew,
    changedAt: updatedAt.toISOString(),
    preview: preview && cut(preview),
    // A match that the preview already shows is not repeated.
    found: found !== null && q !== undefined && !includes(cut(preview ?? ""), q) ? found : null,
    languageCount: states.filter((state) => state !== "missing").length,
    partialCount: states.filter((state) => state === "partial").length,
    uses,
  };
}

/** The text a driver notices first: speech, body, lines, then label. */
export function choosePreview({ tts, textBody, line1, line2, label }: MessageTexts): string | null {
  const lines = [line1, line2].filter(Boolean).join(" ");
  return [tts, textBody, lines, label].find((text) => text !== null && text !== "") ?? null;
}

function isMissing({ languages }: MessageRecord, languageId: string): boolean {
  const texts = languages.find((one) => one.languageId === languageId) ?? null;
  return rateCompleteness(texts, null) === "missing";
}

const includes = (text: string | null, part: string) => text?.toLowerCase().includes(part.toLowerCase()) === true;
const cut = (text: string) => (text.length > longestPreview ? `${text.slice(0, longestPreview).trimEnd()}…` : text);

function findText({ languages }: MessageRecord, part: string): FoundText | null {
  for (const { languageId, tts, line1, line2, textBody, label } of languages) {
    const text = [tts, textBody, line1, line2, label].find((one) => includes(one, part)) ?? null;
    if (text === null) continue;
    const from = Math.max(0, text.toLowerCase().indexOf(part.toLowerCase()) - 40);
    return { languageId, text: (from > 0 ? "…" : "") + cut(text.slice(from)) };
  }
  return null;
}

function orderBy(sort: MessageSort): (one: MessageRow, other: MessageRow) => number {
  const sign = sort.startsWith("-") ? -1 : 1;
  const byName = (one: MessageRow, other: MessageRow) => byLowerCase(one.category, other.category);
  switch (sort) {
    case "name":
    case "-name":
      return (one, other) => sign * byName(one, other);
    case "complete":
    case "-complete":
      return (one, other) =>
        sign * (one.languageCount - one.partialCount - other.languageCount + other.partialCount) || byName(one, other);
    case "changed":
    case "-changed":
      return (one, other) => sign * (Date.parse(one.changedAt) - Date.parse(other.changedAt)) || byName(one, other);
  }
}
