import type { ReactNode } from "react";
import { BottomBars } from "@/app/_components/shell/bars/bottom-bars";
import { CommandPalette } from "@/app/_components/shell/palette/command-palette";
import { EnvironmentProvider, EnvironmentStrip } from "@/app/_components/shell/bars/environment";
import { Notice } from "@/app/_components/feedback/notice";
import { Header } from "@/app/_components/shell/header";
import { OnDemand } from "@/app/_components/shell/on-demand";
import { OfflineBar } from "@/app/_components/shell/bars/offline-bar";
import { RefusalNotice } from "@/app/_components/shell/bars/refusal-notice";
import { ScrollToTop } from "@/app/_components/shell/scroll-to-top";
import { SessionWatch } from "@/app/_components/shell/session/session-watch";
import { type Setup, SetupNotices } from "@/app/_components/shell/bars/setup-notices";
import { SetupSentences } from "@/app/_components/shell/bars/setup-sentences";
import { SignInDialog } from "@/app/_components/shell/session/sign-in-dialog";
import { ReaderWatch } from "@/app/_components/shell/session/reader-watch";
import type { Reader } from "@/app/_components/shell/session/reader-name";
import type { SignInWays } from "@/app/_components/shell/session/sign-in-form";
import { PageInView } from "@/app/_components/shell/navigation/page-in-view";
import { SideNavigation } from "@/app/_components/shell/navigation/side-navigation";

export function Shell({
  version,
  reader,
  setup,
  unexpectedDatabase,
  hiddenNotices,
  sessionEndsAt,
  signInWays,
  isNameVerified,
  children,
}: Readonly<{
  version: string;
  reader: Reader;
  setup: Setup;
  /** Why vehicles keep the last policy although the database is readable; null: they don't. */
  unexpectedDatabase: string | null;
  hiddenNotices: string;
  /** Milliseconds since 1970; null without a session. */
  sessionEndsAt: number | null;
  signInWays: SignInWays;
  isNameVerified: boolean;
  children: ReactNode;
}>) {
  return (
    <EnvironmentProvider>
      <a
        data-shell=""
        href="#main"
        className="fixed top-2 left-2 z-60 -translate-y-16 rounded-control bg-accent px-3 py-2 font-medium text-on-accent no-underline focus:translate-y-0"
      >
        Skip to content
      </a>
      <header data-shell="" className="sticky top-0 z-30">
        <Header version={version} reader={reader} />
        <EnvironmentStrip />
      </header>
      <div data-console="" className="md:grid md:grid-cols-[15rem_minmax(0,1fr)]">
        <div
          data-shell=""
          className="sticky top-[calc(var(--header)+var(--strip))] h-[calc(100dvh-var(--header)-var(--strip))] border-r border-line max-md:hidden"
        >
          <SideNavigation version={version} />
        </div>
        <ScrollToTop />
        <main id="main" tabIndex={-1} className="min-w-0 px-4 pt-5 pb-[calc(var(--bottom)+6rem)] outline-none md:px-6">
          {unexpectedDatabase !== null && (
            <Notice tone="bad" className="mb-3" title="Vehicles keep the last policy: this is a different database">
              {unexpectedDatabase}
            </Notice>
          )}
          <RefusalNotice />
          <SetupNotices {...setup} hidden={hiddenNotices}>
            <SetupSentences {...setup} />
          </SetupNotices>
          <PageInView>{children}</PageInView>
        </main>
      </div>
      <BottomBars>
        {sessionEndsAt !== null && <SessionWatch endsAt={sessionEndsAt} />}
        <OfflineBar />
      </BottomBars>
      <CommandPalette canSignOut={sessionEndsAt !== null} />
      <SignInDialog ways={signInWays} isNameVerified={isNameVerified} />
      <ReaderWatch name={reader.name} />
      <OnDemand />
    </EnvironmentProvider>
  );
}
