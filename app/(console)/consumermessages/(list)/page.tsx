import type { Metadata } from "next";
import { guides } from "@/app/_components/guides";
import { LinkButton } from "@/app/_components/link-button";
import { PageHeader } from "@/app/_components/page-header";
import { requireAdminPage } from "@/lib/auth/session";
import { requirePageQuery } from "@/lib/console/require-page-query";
import { loadMessageOverview } from "@/lib/messages/console-queries";
import { messagesPageQuery } from "@/lib/messages/console-schema";
import { MessageList } from "./message-list";
import { PromoteAllButton } from "./promote-all-button";
import { UpdateLanguagesButton } from "./update-languages-button";

export const metadata: Metadata = { title: "Consumer messages" };

/** The texts that drivers read and hear, how far they are translated, and what waits for its promotion. */
export default async function ConsumerMessagesPage({ searchParams }: PageProps<"/consumermessages">) {
  await requireAdminPage();
  const query = requirePageQuery("/consumermessages", messagesPageQuery, await searchParams);
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
              <LinkButton href="/consumermessages/manage?environment=staging">New message</LinkButton>
              <PromoteAllButton waiting={overview.waiting} />
            </>
          )
        }
      />
      <MessageList {...overview} query={query} />
    </>
  );
}
