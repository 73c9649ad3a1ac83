import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { EditorSlot } from "@/app/_records/editor-slot";
import { ReportEnvironment } from "@/app/_components/shell/bars/environment";
import { oncePerRequest } from "@/app/_console/once-per-request";
import { requirePage } from "@/lib/platform/auth/callers/require-page";
import { requirePageQuery } from "@/app/_console/require-page-query";
import { findMessageOfPage, listTakenNames, type MessageOfPage } from "@/lib/records/messages/console-queries";
import { buildMessagePageQuery, type MessagePageQuery } from "@/lib/records/messages/console-schema";
import { nameLanguage } from "@/lib/vocabulary/language-names";
import { listLanguages, loadMessageTemplate } from "@/lib/records/messages/queries";
import { MessageEditor } from "./message-editor";

type Props = PageProps<"/consumermessages/manage">;

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  await requirePage("read");
  const found = await findMessage(await readQuery(searchParams));
  return { title: found === null ? "New message" : `${found.message.message_category} · Consumer messages` };
}

export default async function MessagePage({ searchParams }: Props) {
  await requirePage("read");
  const query = await readQuery(searchParams);
  const found = await findMessage(query);
  const message = found?.message ?? (await loadMessageTemplate());
  const environment = found?.environment ?? "staging";
  const languages = message.languages.map(({ language_id }) => nameLanguage(language_id));
  return (
    <>
      <ReportEnvironment environment={environment} />
      <EditorSlot record={`${environment}:${message.message_category}`} name={message.message_category}>
        <MessageEditor
          message={message}
          environment={environment}
          isInProduction={found?.isInProduction ?? false}
          uses={found?.uses ?? []}
          usedLanguages={found?.usedLanguages ?? []}
          languages={languages}
          takenNames={found === null ? await listTakenNames() : []}
          firstLanguage={languages.find(({ id }) => id === query.lang)?.id ?? null}
        />
      </EditorSlot>
    </>
  );
}

async function readQuery(searchParams: Props["searchParams"]): Promise<MessagePageQuery> {
  const schema = buildMessagePageQuery(await listLanguages());
  return requirePageQuery("/consumermessages/manage", schema, await searchParams);
}

/** Null: a new message. An unknown id means page not found. */
const findMessage = oncePerRequest(async (query: MessagePageQuery): Promise<MessageOfPage | null> => {
  const { id, category, environment } = query;
  if (id === undefined && category === undefined) return null;
  if (id !== undefined && !/^\d{1,15}$/.test(id)) notFound();
  const wanted = id === undefined ? { category: category ?? "" } : { id: Number(id) };
  return (await findMessageOfPage(wanted, environment)) ?? notFound();
});
