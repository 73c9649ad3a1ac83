import type { Metadata } from "next";
import { requirePage } from "@/lib/platform/auth/callers/require-page";
import { requireListQuery } from "@/app/_console/require-page-query";
import { loadMessageOverview } from "@/lib/records/messages/console-queries";
import { buildMessagesPageQuery } from "@/lib/records/messages/console-schema";
import { listLanguages } from "@/lib/records/messages/queries";
import { MessageList } from "./message-list";
import { Fold } from "@/app/_components/ui/outline/fold";
import { Section } from "@/app/_components/ui/section";
import type { NamedLanguage } from "@/lib/vocabulary/language-names";
import type { LanguageSizes } from "@/lib/records/messages/language-sizes";
import { formatNumber, plural } from "@/lib/vocabulary/format-number";

export const metadata: Metadata = { title: "Consumer messages" };

export default async function ConsumerMessagesPage({ searchParams }: PageProps<"/consumermessages">) {
  await requirePage("read");
  const schema = buildMessagesPageQuery(await listLanguages());
  const query = await requireListQuery("/consumermessages", schema, await searchParams);
  const { sizes, ...overview } = await loadMessageOverview(query);
  return (
    <>
      <MessageList overview={overview} query={query} />
      <LanguageSizesSection sizes={sizes} languages={overview.languages} />
    </>
  );
}

const figures = [
  { member: "messageCount", label: "Messages" },
  { member: "plain", label: "Bytes" },
  { member: "gzip", label: "Compressed" },
] as const;

/** A vehicle gets all languages. */
function LanguageSizesSection({
  sizes,
  languages,
}: Readonly<{ sizes: LanguageSizes; languages: readonly NamedLanguage[] }>) {
  const count = sizes.languages.length;
  if (count === 0) return null;
  const nameOf = (id: string) => languages.find((one) => one.id === id)?.name ?? id;
  return (
    <Section
      id="language-sizes"
      className="mt-4 max-w-3xl"
      title="Size in every vehicle’s table"
      description={`All ${sizes.messageCount} messages in ${plural(count, "language")}: ${formatNumber(sizes.plain)} bytes, ${formatNumber(sizes.gzip)} compressed. Every vehicle downloads every language.`}
    >
      <Fold title="Size of each language">
        <table className="w-full text-table">
          <caption className="pb-2 text-left text-xs text-muted">
            How much shorter an update would be without the language. Compressed means gzip, as vehicles receive it.
          </caption>
          <thead>
            <tr className="text-xs text-muted">
              <th scope="col" className="py-2 pr-2 text-left font-medium">
                Language
              </th>
              {figures.map(({ member, label }) => (
                <th key={member} scope="col" className="py-2 pl-3 text-right font-medium whitespace-nowrap">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line border-t border-line">
            {sizes.languages.map((size) => (
              <tr key={size.languageId}>
                <th scope="row" className="py-1.5 pr-2 text-left font-normal">
                  {nameOf(size.languageId)} <span className="whitespace-nowrap text-muted">{size.languageId}</span>
                </th>
                {figures.map(({ member }) => (
                  <td key={member} className="py-1.5 pl-3 text-right align-top whitespace-nowrap tabular-nums">
                    {formatNumber(size[member])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Fold>
    </Section>
  );
}
