import type { Metadata } from "next";
import { BadgeCheck, Check, Minus } from "lucide-react";
import { PartProblem } from "@/app/_components/feedback/part-problem";
import { SessionTable } from "@/app/_components/session-table";
import { ReaderName } from "@/app/_components/shell/session/reader-name";
import { TokenTable } from "@/app/_components/token-table";
import { Chip } from "@/app/_components/ui/chip";
import { FactList } from "@/app/_components/ui/fact-list";
import { Link } from "@/app/_components/ui/link";
import { PageHeader } from "@/app/_components/ui/page-header";
import { Section } from "@/app/_components/ui/section";
import { loadPart } from "@/app/_console/load-part";
import { mayDo, type Need, needs, type Role, roleFor } from "@/lib/vocabulary/roles";
import {
  findPageSessionEnd,
  findPageSessionId,
  findReader,
  requirePage,
} from "@/lib/platform/auth/callers/require-page";
import { listSessions } from "@/lib/platform/auth/people/sessions";
import { isEmergencyPassword, isPerson, type Principal } from "@/lib/platform/auth/principal";
import { listTokens } from "@/lib/platform/auth/tokens/queries";
import { PreferencesSection } from "./preferences-section";
import { EndOthers, SignOut } from "./sign-out";

export const metadata: Metadata = { title: "You" };

export default async function YouPage() {
  await requirePage("read");
  const reader = await findReader();
  // `requirePage` has redirected them.
  if (reader === null || reader.role === null) return null;
  const own = isPerson(reader) ? await loadPart("sessions and tokens of the reader", () => loadOwn(reader.id)) : null;
  return (
    <>
      <PageHeader
        title="You"
        description="Who you are to this server, and what you may do."
        actions={(await findPageSessionEnd()) === null ? null : <SignOut />}
      />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-2">
        <div className="space-y-4">
          <Identity reader={reader} role={reader.role} />
          <Rights role={reader.role} />
        </div>
        <div className="space-y-4">
          {own !== null &&
            ("value" in own ? (
              <Own {...own.value} mayAdminister={mayDo(reader.role, "administer")} />
            ) : (
              <PartProblem sentence="Your sessions and tokens could not be read." {...own} />
            ))}
          <PreferencesSection isNameVerified={reader.isVerified} />
        </div>
      </div>
    </>
  );
}

async function loadOwn(id: string) {
  const [sessions, tokens] = await Promise.all([
    findPageSessionId().then((current) => listSessions({ person: id }, current)),
    listTokens({ makerId: id }),
  ]);
  return { sessions, tokens };
}

function Identity({ reader, role }: Readonly<{ reader: Principal; role: Role }>) {
  const { name, isVerified } = reader;
  return (
    <Section title="Your identity" flush>
      <FactList
        facts={[
          [
            "Name",
            <ReaderName key="name" name={name}>
              {isVerified ? (
                <Chip tone="good" icon={BadgeCheck}>
                  Verified
                </Chip>
              ) : (
                <Chip tone="plain">Not verified</Chip>
              )}
            </ReaderName>,
          ],
          ["Role", role],
          ["Known by", describeProof(reader)],
        ]}
      />
    </Section>
  );
}

function describeProof(reader: Principal): string {
  if (isEmergencyPassword(reader)) return "The emergency password, which does not prove who you are";
  switch (reader.proof) {
    case "open":
      return "Nothing: no sign-in is required, and everyone who reaches this server is an admin";
    case "token":
      return "An API token";
    case "proxy":
      return "The proxy that signs you in";
    default:
      if (isPerson(reader)) return "Your sign-in at the identity provider";
      return reader.isVerified
        ? "The shared password; the proxy in front gives your name"
        : "The shared password: everyone who knows it is an admin";
  }
}

const rights: Readonly<Record<Need, string>> = {
  read: "Read lists, policy tables, history and activity",
  edit: "Change staging, approve apps for staging, block apps",
  publish: "Change production: publish, roll back, approve and limit apps",
  administer: "Private keys and certificates, API tokens, publishing freezes",
};

function Rights({ role }: Readonly<{ role: Role }>) {
  return (
    <Section title="What you may do" flush>
      <ul className="divide-y divide-line text-table">
        {needs.map((need) => {
          const isAllowed = mayDo(role, need);
          return (
            <li key={need} className="flex items-start justify-between gap-4 px-4 py-2.5">
              <span className={isAllowed ? undefined : "text-muted"}>{rights[need]}</span>
              {isAllowed ? (
                <Chip tone="good" icon={Check}>
                  Yes
                </Chip>
              ) : (
                <Chip tone="plain" icon={Minus}>
                  Needs {roleFor[need]}
                </Chip>
              )}
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

function Own({
  sessions,
  tokens,
  mayAdminister,
}: Readonly<Awaited<ReturnType<typeof loadOwn>> & { mayAdminister: boolean }>) {
  const others = sessions.filter(({ is_current: isCurrent }) => !isCurrent).length;
  return (
    <>
      {/* A proxy manages the sessions of its users. */}
      {sessions.length > 0 && (
        <Section title="Your sessions" actions={others > 0 && <EndOthers count={others} />} flush>
          <SessionTable sessions={sessions} isOwn />
        </Section>
      )}
      {(tokens.length > 0 || mayAdminister) && (
        <Section title="Your API tokens" actions={mayAdminister && <Link href="/access">All tokens</Link>} flush>
          {tokens.length > 0 ? (
            <TokenTable tokens={tokens} />
          ) : (
            <p className="px-4 py-3 text-muted">You have not created any.</p>
          )}
        </Section>
      )}
    </>
  );
}
