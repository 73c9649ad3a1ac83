import type { Metadata } from "next";
import { guides } from "@/app/_components/guides";
import { LinkButton } from "@/app/_components/ui/link-button";
import { RememberList } from "@/app/_components/list/views/remember-list";
import { PageHeader } from "@/app/_components/ui/page-header";
import { requireAdminPage } from "@/lib/auth/session";
import { requireListQuery } from "@/lib/console/require-list-query";
import { loadMessageOverview } from "@/lib/messages/console-queries";
import { buildMessagesPageQuery } from "@/lib/messages/console-schema";
import { listLanguages } from "@/lib/messages/queries";
import { messagePath } from "../message-path";
import { LanguageSizesSection } from "./language-sizes-section";
import { MessageList } from "./message-list";
import { StateTabs } from "./state-tabs";
import { UpdateLanguagesButton } from "./update-languages-button";

export const metadata: Metadata = { title: "Consumer messages" };

/** The texts that drivers read and hear, how far they are translated, and what waits for its promotion. */
export default async function ConsumerMessagesPage({ searchParams }: PageProps<"/consumermessages">) {
  await requireAdminPage();
  const schema = buildMessagesPageQuery(await listLanguages());
  const query = await requireListQuery("/consumermessages", schema, await searchParams);
  const overview = await loadMessageOverview(query);
  const isStaging = query.environment === "staging";
  return (
    <>
      <PageHeader
        title="Consumer messages"
        helpHref={guides.consumerMessages}
        description="What drivers read and hear, in every language of the vehicle."
        actions={
          isStaging && (
            <>
              <UpdateLanguagesButton count={overview.languages.length} />
              <LinkButton href="/consumermessages/manage?environment=staging" variant="primary">
                New message
              </LinkButton>
            </>
          )
        }
      />
      {isStaging && <StateTabs current={query.state ?? "all"} counts={overview.counts} />}
      <RememberList
        section="/consumermessages"
        items={overview.rows.map(({ category }) => ({ key: category, path: messagePath(category, query.environment) }))}
      />
      <MessageList {...overview} query={query} />
      <LanguageSizesSection sizes={overview.sizes} languages={overview.languages} />
    </>
  );
}
