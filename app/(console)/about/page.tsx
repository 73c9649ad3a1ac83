import type { Metadata } from "next";
import { headers } from "next/headers";
import { Link } from "@/app/_components/ui/link";
import { CopyButton } from "@/app/_components/ui/copy-button";
import { FactList } from "@/app/_components/ui/fact-list";
import { guides } from "@/app/_components/guides";
import { PageHeader } from "@/app/_components/ui/page-header";
import { PolicyFigures } from "@/app/_components/policy-figures";
import { Section } from "@/app/_components/ui/section";
import { SessionTable } from "@/app/_components/session-table";
import { listConfiguration } from "@/lib/console/about/facts";
import { loadAbout } from "@/lib/console/about/queries";
import { findPageSessionId, findReader, requirePage } from "@/lib/platform/auth/callers/require-page";
import { listSessions } from "@/lib/platform/auth/people/sessions";
import { readVerifiedName } from "@/lib/platform/http/read/read-verified-name";
import { policyStatus } from "@/lib/policy/status";
import { loadSettings } from "@/lib/platform/settings";
import { mayDo } from "@/lib/labels/roles";
import { AboutIndex, AboutPart } from "./about-part";
import { ConfigurationTable } from "./configuration-table";
import { CopyDiagnostics } from "./copy-diagnostics";
import { DirectorySection } from "./directory-section";
import { PreferencesSection } from "./preferences-section";
import { VersionLine } from "./version-line";

export const metadata: Metadata = { title: "About" };

/** Plain links, which leave the client-side router alone: these are no pages. */
const machineAnswers = [
  ["Health", "/health"],
  ["Readiness", "/health/ready"],
  ["Version", "/version"],
  ["Metrics", "/metrics"],
  ["Configuration as JSON", "/api/v1/about"],
] as const;

/** What is running, how it is set up, and how it is doing. */
export default async function AboutPage() {
  await requirePage("read");
  const { certificateGeneration } = loadSettings();
  const about = await loadAbout();
  const reader = await findReader();
  const mayAdminister = mayDo(reader?.role ?? null, "administer");
  const sessionId = await findPageSessionId();
  const sessions = reader === null || sessionId === null ? null : await listSessions({ person: reader.id }, sessionId);
  const missing = certificateGeneration.enabled ? [] : certificateGeneration.missing;
  return (
    <>
      <PageHeader
        title="About"
        helpHref={guides.about}
        description="What runs here, how it is set up, and how it is doing."
        actions={
          <>
            <Link href="/activity">Activity</Link>
            {mayAdminister && <Link href="/access">Access</Link>}
            <CopyDiagnostics diagnostics={{ ...about, policy: { ...policyStatus(), ...about.policy } }} />
          </>
        }
      />
      <AboutIndex />
      <AboutPart id="status">
        <div className="space-y-4">
          <Section level={3} title="Server" flush>
            <FactList
              facts={[
                [
                  "Version",
                  <VersionLine
                    key="version"
                    current={about.current_version}
                    latest={about.latest_version}
                    updateType={about.update_type}
                    page={about.update_page}
                    check={about.update_check}
                  />,
                ],
                ["Address", <Address key="address" text={about.base_url} />],
                [
                  "For machines",
                  <span key="machines" className="flex flex-wrap gap-x-4 gap-y-1">
                    {machineAnswers.map(([name, path]) => (
                      <a key={path} href={path}>
                        {name}
                      </a>
                    ))}
                  </span>,
                ],
              ]}
            />
          </Section>
          <Section level={3} title="Policy in service" flush>
            <PolicyFigures status={policyStatus()} servedRevision={about.policy.served_revision} />
          </Section>
        </div>
        <DirectorySection first={about.directory} />
      </AboutPart>
      <AboutPart id="settings">
        <Section level={3} title="Configuration" description="Settings are read when the server starts." flush>
          <ConfigurationTable facts={listConfiguration(about, missing)} />
        </Section>
        <Section
          level={3}
          title="Webhook"
          description="The app directory tells this server about changes of apps. Without it they arrive with the daily run."
        >
          <ol className="list-decimal space-y-1.5 pl-5 text-table">
            <li>
              Enter this address in the developer portal, at your company:
              <Address text={about.webhook_url} />
            </li>
            <li>
              Put the keys of the portal into <Setting>SHAID_PUBLIC_KEY</Setting> and{" "}
              <Setting>SHAID_SECRET_KEY</Setting>; the public one comes with every call and is checked.
            </li>
            <li>A proxy in front must let the header public_key pass, with its underscore.</li>
          </ol>
        </Section>
      </AboutPart>
      <AboutPart id="preferences">
        <PreferencesSection verifiedName={readVerifiedName(await headers())} />
        {sessions !== null && (
          <Section level={3} title="Your sessions" description="End those that you no longer use." flush>
            <SessionTable sessions={sessions} isOwn />
          </Section>
        )}
      </AboutPart>
    </>
  );
}

function Address({ text }: Readonly<{ text: string }>) {
  return (
    <span className="flex items-center gap-1">
      <code className="min-w-0 font-mono text-xs break-all">{text}</code>
      <CopyButton text={text} label="Copy address" />
    </span>
  );
}

function Setting({ children }: Readonly<{ children: string }>) {
  return <code className="font-mono text-xs">{children}</code>;
}
