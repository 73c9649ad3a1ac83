import type { Metadata } from "next";
import { Notice } from "@/app/_components/feedback/notice";
import { PageHeader } from "@/app/_components/ui/page-header";
import { Section } from "@/app/_components/ui/section";
import { SessionTable } from "@/app/_components/session-table";
import { TokenTable } from "@/app/_components/token-table";
import { findPageSessionId, findReader, requirePage } from "@/lib/platform/auth/callers/require-page";
import { listSessions } from "@/lib/platform/auth/people/sessions";
import { findMakerRefusal } from "@/lib/platform/auth/tokens/commands";
import { listTokens } from "@/lib/platform/auth/tokens/queries";
import { needOfPage } from "@/lib/vocabulary/roles";
import { loadSettings } from "@/lib/platform/settings";
import { MakeToken } from "./tokens";

export const metadata: Metadata = { title: "Access" };

export default async function AccessPage() {
  await requirePage(needOfPage("/access"));
  const tokens = await listTokens();
  const { authType } = loadSettings();
  const sessions = authType === "oidc" ? await listSessions("all", await findPageSessionId()) : null;
  const refusal = findMakerRefusal(await findReader());
  return (
    <>
      <PageHeader title="Access" description="Who is signed in, and which programs can use the API." />
      {authType === null && (
        <Notice className="mb-4">AUTH_TYPE is not set: everyone is an admin, and tokens have no effect.</Notice>
      )}
      <div className="space-y-4">
        {sessions !== null && (
          <Section
            title="Sessions"
            description="If you end a session, its user is signed out within two seconds."
            flush
          >
            <SessionTable sessions={sessions} isOwn={false} />
          </Section>
        )}
        <Section title="API tokens" flush>
          {tokens.length === 0 ? (
            <p className="px-4 py-3 text-muted">There are no API tokens.</p>
          ) : (
            <TokenTable tokens={tokens} />
          )}
        </Section>
        <Section title="New token">
          {refusal === null ? <MakeToken /> : <p className="text-muted">{refusal}.</p>}
        </Section>
      </div>
    </>
  );
}
