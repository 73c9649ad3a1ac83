import type { Metadata } from "next";
import { requirePage } from "@/lib/platform/auth/callers/require-page";
import { requireListQuery } from "@/lib/console/require-page-query";
import { loadMessageOverview } from "@/lib/content/messages/console-queries";
import { buildMessagesPageQuery } from "@/lib/content/messages/console-schema";
import { listLanguages } from "@/lib/content/messages/queries";
import { LanguageSizesSection } from "./language-sizes-section";
import { MessageList } from "./message-list";

export const metadata: Metadata = { title: "Consumer messages" };

/** The texts that drivers read and hear, how far they are translated, and what waits for its promotion. */
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
