import type { Metadata } from "next";
import { Link } from "@/app/_components/ui/link";
import { CopyButton } from "@/app/_components/ui/copy-button";
import { FactList } from "@/app/_components/ui/fact-list";
import { guides } from "@/app/_components/guides";
import { PageHeader } from "@/app/_components/ui/page-header";
import { PolicyFigures } from "@/app/_components/policy-figures";
import { Section } from "@/app/_components/ui/section";
import { listConfiguration, type ConfigurationFact } from "@/app/(console)/about/facts";
import { loadAbout } from "@/app/(console)/about/queries";
import { findReader, requirePage } from "@/lib/platform/auth/callers/require-page";
import { policyStatus } from "@/lib/policy/status";
import { loadSettings } from "@/lib/platform/settings";
import { mayDo } from "@/lib/vocabulary/roles";
import { CopyDiagnostics } from "./copy-diagnostics";
import { DirectorySection } from "./directory-section";
import type { ReactNode } from "react";
import { CircleCheck, CircleMinus, TriangleAlert } from "lucide-react";
import { Chip } from "@/app/_components/ui/chip";

const looks = {
  ok: { tone: "good", icon: CircleCheck, word: "OK" },
  attention: { tone: "warn", icon: TriangleAlert, word: "Attention" },
  off: { tone: "calm", icon: CircleMinus, word: "Off" },
} as const;

const aboutParts = [
  { id: "status", title: "Status" },
  { id: "settings", title: "Settings" },
] as const;

export const metadata: Metadata = { title: "About" };

/** Plain links bypass the client-side router: these are not pages. */
const machineAnswers = [
  ["Health", "/health"],
  ["Readiness", "/health/ready"],
  ["Version", "/version"],
  ["Metrics", "/metrics"],
  ["Configuration as JSON", "/api/v1/about"],
] as const;

export default async function AboutPage() {
  await requirePage("read");
  const { certificateGeneration } = loadSettings();
  const about = await loadAbout();
  const mayAdminister = mayDo((await findReader())?.role ?? null, "administer");
  const missing = certificateGeneration.enabled ? [] : certificateGeneration.missing;
  return (
    <>
      <PageHeader
        title="About"
        helpHref={guides.about}
        description="Version, settings and health of this server."
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
                ["Version", about.current_version],
                ["Address", <Address key="address" text={about.base_url} />],
                [
                  "For monitoring",
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
          <Section level={3} title="Served policy" flush>
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
          description="The app directory tells this server when an app changes. Without the webhook, changes arrive once a day."
        >
          <ol className="list-decimal space-y-1.5 pl-5 text-table">
            <li>
              Enter this address in the developer portal, in your company’s settings:
              <Address text={about.webhook_url} />
            </li>
            <li>
              Set the keys from the portal as <Setting>SHAID_PUBLIC_KEY</Setting> and{" "}
              <Setting>SHAID_SECRET_KEY</Setting>. Every call carries the public key, and the server checks it.
            </li>
            <li>If there is a proxy in front, it must pass on the header public_key, with its underscore.</li>
          </ol>
        </Section>
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

function AboutPart({ id, children }: Readonly<{ id: (typeof aboutParts)[number]["id"]; children: ReactNode }>) {
  const title = aboutParts.find((part) => part.id === id)?.title;
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="mb-8">
      <h2 id={`${id}-title`} className="mb-3 text-base leading-6 font-semibold">
        {title}
      </h2>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-2">{children}</div>
    </section>
  );
}

function AboutIndex() {
  return (
    <nav aria-label="On this page" className="mb-5">
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-table">
        {aboutParts.map(({ id, title }) => (
          <li key={id}>
            <a href={`#${id}`} className="inline-block py-1 pointer-coarse:py-3">
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function ConfigurationTable({ facts }: Readonly<{ facts: readonly ConfigurationFact[] }>) {
  return (
    <ul className="divide-y divide-line text-table">
      {facts.map(({ name, state, value, why, setting }) => {
        const { tone, icon, word } = looks[state];
        return (
          <li key={name} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-0.5 px-4 py-2.5">
            <p className="font-medium">
              {name}: <span className="font-normal">{value}</span>
            </p>
            <Chip tone={tone} icon={icon}>
              {word}
            </Chip>
            <p className="text-muted">
              {why} <code className="font-mono text-2xs whitespace-nowrap">{setting}</code>
            </p>
          </li>
        );
      })}
    </ul>
  );
}
