import type { Metadata } from "next";
import { Notice } from "@/app/_components/feedback/notice";
import { PageHeader } from "@/app/_components/ui/page-header";
import { Section } from "@/app/_components/ui/section";
import { findReader, requirePage } from "@/lib/auth/callers/require-page";
import { findMakerRefusal } from "@/lib/auth/tokens/maker";
import { listTokens } from "@/lib/auth/tokens/queries";
import { loadSettings } from "@/lib/settings";
import { MakeToken } from "./make-token";
import { TokenTable } from "./token-table";

export const metadata: Metadata = { title: "Access" };

/** The tokens with which programs call the API: made, shown once, and revoked (`people.md` P10). */
export default async function AccessPage() {
  await requirePage("administer");
  const tokens = await listTokens();
  const refusal = findMakerRefusal(await findReader());
  return (
    <>
      <PageHeader title="Access" description="Which programs may call the API, and what they may do." />
      {loadSettings().authType === null && (
        <Notice className="mb-4">
          While AUTH_TYPE is not set, everybody is an admin and tokens make no difference.
        </Notice>
      )}
      <div className="space-y-4">
        <Section title="Tokens of programs" flush>
          <TokenTable tokens={tokens} />
        </Section>
        <Section title="New token">
          {refusal === null ? <MakeToken /> : <p className="text-muted">{refusal}.</p>}
        </Section>
      </div>
    </>
  );
}
