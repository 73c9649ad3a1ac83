import { cookies, headers } from "next/headers";
import type { ReactNode } from "react";
import { ConsoleSwr } from "@/app/_components/console-swr";
import { CountersProvider } from "@/app/_components/shell/navigation/counters";
import { hiddenNoticesCookie } from "@/app/_components/shell/bars/hidden-notices-cookie";
import { RoleProvider } from "@/app/_components/shell/role";
import { Shell } from "@/app/_components/shell/shell";
import { findPageSessionEnd, findReader, requirePage } from "@/lib/platform/auth/callers/require-page";
import { describeReader } from "@/lib/platform/auth/principal";
import { loadCounters } from "@/app/_console/counters";
import { readVerifiedName } from "@/lib/platform/http/read/read-verified-name";
import { policyStatus } from "@/lib/policy/status";
import { loadSettings } from "@/lib/platform/settings";
import { packageVersion } from "@/lib/platform/version";
import { requiresSignIn } from "@/lib/platform/settings/kinds";
import { announcesPlainHttp } from "@/lib/vocabulary/phones";

export default async function ConsoleLayout({ children }: Readonly<{ children: ReactNode }>) {
  await requirePage("read");
  const reader = await findReader();
  const { authType, basicAuthPassword, usesEmbeddedDatabase, directory, publicBaseUrl } = loadSettings();
  // Without a database, the pages say so and the navigation stays.
  const counters = await loadCounters(reader).catch(() => null);
  const setup = {
    isOpen: !requiresSignIn(authType),
    isEmbedded: usesEmbeddedDatabase,
    isExampleDirectory: directory === "example",
    isPlainAddress: announcesPlainHttp(publicBaseUrl),
  };
  return (
    <RoleProvider role={reader?.role ?? "viewer"} readerId={reader && describeReader(reader).id}>
      <ConsoleSwr>
        <CountersProvider first={counters}>
          <Shell
            version={packageVersion}
            reader={{ name: reader?.name ?? null }}
            setup={setup}
            unexpectedDatabase={policyStatus()?.unexpectedDatabase ?? null}
            hiddenNotices={(await cookies()).get(hiddenNoticesCookie)?.value ?? ""}
            sessionEndsAt={await findPageSessionEnd()}
            signInWays={{ hasProvider: authType === "oidc", hasPassword: basicAuthPassword !== null }}
            isNameVerified={reader?.isVerified ?? readVerifiedName(await headers()) !== null}
          >
            {children}
          </Shell>
        </CountersProvider>
      </ConsoleSwr>
    </RoleProvider>
  );
}
