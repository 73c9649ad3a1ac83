import type { Metadata } from "next";
import { PartProblem } from "@/app/_components/feedback/part-problem";
import { Section } from "@/app/_components/ui/section";
import { HistorySection } from "@/app/_releases/history/history";
import type { ApplicationJson } from "@/lib/apps/applications/answer-schema";
import { loadPolicySegments } from "@/lib/apps/applications/policy-segments";
import { requirePage } from "@/lib/platform/auth/callers/require-page";
import { loadAppCertificateState } from "@/lib/certificates/app/stored-bundle";
import { loadPart } from "@/app/_console/load-part";
import type { RawQuery } from "@/app/_console/page-query";
import { readClock } from "@/app/_console/read-clock";
import { AppError } from "@/lib/platform/errors";
import type { MatrixAnswer } from "@/lib/policy/why/answer-schema";
import { loadMatrix } from "@/app/_simulator/queries";
import { CertificateSection } from "./certificate-section";
import { DecisionBar, DecisionCard } from "./decision-card";
import { DecisionProvider } from "../decision-provider";
import { DetailHeader, VersionsSection } from "./detail-header";
import { FactsSection } from "./facts-section";
import { FleetSection } from "./fleet-section";
import { GrantsSection } from "./grants-section";
import { HeadUnitSection } from "./head-unit-section";
import { PolicySection } from "./policy-section";
import { loadAppFigures } from "./queries";
import { LinkTabs } from "@/app/_components/ui/link-tabs";
import { namesOf } from "@/lib/vocabulary/members";
import { SettingsSection } from "./settings-section";
import { WhySection } from "./why-section";
import { Link } from "@/app/_components/ui/link";
import {
  type ApplicationDetail,
  findAddressedVersion,
  loadApplicationDetail,
} from "@/lib/apps/applications/console/detail-queries";
import { summarizeChanges } from "@/lib/apps/applications/console/version-changes";
import { ChangeGroups, FirstSubmission } from "./changes-section";
import { FactList } from "@/app/_components/ui/fact-list";
import { notFound, redirect } from "next/navigation";
import { cache, type ReactNode } from "react";

/** A uuid redirects to the newest version, and to the same part of its page. */
const requireAddressedId = cache(async (parameter: string, tab: Tab): Promise<number> => {
  const found = await findAddressedVersion(decode(parameter));
  if (found === null) notFound();
  if (!found.isCanonical) redirect(addressOf(found.id, tab));
  return found.id;
});

const requireDetail = cache(async (parameter: string, tab: Tab): Promise<ApplicationDetail> => {
  const detail = await loadApplicationDetail(await requireAddressedId(parameter, tab));
  // Somebody may have deleted it in the meantime.
  if (detail === null) notFound();
  return detail;
});

const none = <span className="text-muted">—</span>;

type Props = PageProps<"/applications/[id]">;

export async function generateMetadata({ params, searchParams }: Props): Promise<Metadata> {
  await requirePage("read");
  const { app } = await requireDetail((await params).id, readTab(await searchParams));
  return { title: `${app.name} · Applications` };
}

/** The first tab has the plain address. */
const tabs = {
  changes: "Changes",
  permissions: "Permissions",
  settings: "Settings",
  details: "Details",
  policy: "Policy",
  fleet: "Fleet",
  history: "History",
} as const;
type Tab = keyof typeof tabs;

const readTab = ({ tab: asked }: RawQuery): Tab => namesOf(tabs).find((tab) => tab === asked) ?? "changes";
const addressOf = (id: number, tab: Tab) => `/applications/${id}${tab === "changes" ? "" : `?tab=${tab}`}`;

export default async function ApplicationPage({ params, searchParams }: Props) {
  await requirePage("read");
  const current = readTab(await searchParams);
  const detail = await requireDetail((await params).id, current);
  const content = await contents[current](detail);
  const { app, state, versions, effects } = detail;
  return (
    <DecisionProvider detail={{ app, state, versions, effects }}>
      <DetailHeader detail={detail} />
      <DecisionCard />
      <div className="mt-4">
        <LinkTabs
          label="Parts of the page"
          tabs={namesOf(tabs).map((tab) => ({
            label: tabs[tab],
            href: addressOf(app.id, tab),
            isCurrent: tab === current,
          }))}
        />
        <div className="space-y-4">{content}</div>
      </div>
      <DecisionBar />
    </DecisionProvider>
  );
}

type Part = (detail: ApplicationDetail) => ReactNode | Promise<ReactNode>;
const contents: Readonly<Record<Tab, Part>> = {
  changes: async (detail) => {
    const segments = await loadSegments(detail);
    return (
      <>
        <HeadUnitSection detail={detail} segments={"value" in segments ? segments.value : null} />
        <ChangesSection detail={detail} />
      </>
    );
  },
  permissions: async ({ app, versions, groups }) => {
    const rights = await loadPart("permissions of an app", () => findRights(app));
    return (
      <>
        <WhySection
          key={app.id}
          uuid={app.uuid}
          id={app.id}
          label={versions.find(({ id }) => id === app.id)?.label ?? "this version"}
          first={"value" in rights ? rights.value : null}
        />
        <GrantsSection app={app} groups={groups} />
      </>
    );
  },
  settings: async ({ app, state }) => {
    const certificate = await loadPart("certificate of an app", () => loadAppCertificateState(app.uuid));
    return (
      <>
        <SettingsSection app={app} state={state} />
        {"value" in certificate ? (
          <CertificateSection key={app.uuid} uuid={app.uuid} id={app.id} state={certificate.value} />
        ) : (
          <Section id="certificate" title="Certificate">
            <PartProblem sentence="The certificate could not be read." {...certificate} />
          </Section>
        )}
      </>
    );
  },
  details: (detail) => (
    <>
      <VersionsSection detail={detail} />
      <FactsSection app={detail.app} />
      <ContactSection app={detail.app} />
    </>
  ),
  policy: async (detail) => {
    const segments = await loadSegments(detail);
    if ("value" in segments) return <PolicySection segments={segments.value} />;
    return (
      <Section id="policy" title="Policy preview">
        <PartProblem sentence="The policy of this app could not be read." {...segments} />
      </Section>
    );
  },
  fleet: async (detail) => {
    const figures = await loadPart("figures of an app", () => loadAppFigures(detail, readClock()));
    if ("value" in figures) return <FleetSection {...figures.value} />;
    return (
      <Section id="fleet" title="Fleet">
        <PartProblem sentence="The figures of this app could not be read." {...figures} />
      </Section>
    );
  },
  history: ({ app }) => (
    <HistorySection
      item={{ family: "app", key: app.uuid }}
      description="Decisions about each version, when they were published, and what changed."
    />
  ),
};

const loadSegments = ({ app }: ApplicationDetail) => loadPart("policy of an app", () => loadPolicySegments(app.uuid));

/** Null if unknown; the section says why. */
async function findRights({ uuid, id }: ApplicationJson): Promise<MatrixAnswer | null> {
  try {
    return await loadMatrix({ app: uuid, version: id, environment: "staging" });
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** Reviewers read this first. */
function ChangesSection({ detail }: Readonly<{ detail: ApplicationDetail }>) {
  const { app, baseline, versions, production } = detail;
  if (baseline === null) return <FirstSubmission detail={detail} />;
  const label = versions.find(({ id }) => id === baseline.id)?.label ?? "";
  const isInProduction = baseline.id === production || detail.state === "BLOCKED";
  const what = isInProduction && baseline.id > app.id ? "How this older version differs from" : "Against";
  return (
    <Section
      id="changes"
      title="Changes"
      description={
        <>
          {what} <Link href={`/applications/${baseline.id}`}>{label}</Link>
          {isInProduction ? ", the version in production" : ", the previously approved version"}
          {baseline.changes.length > 0 && `: ${summarizeChanges(baseline.changes)}`}
        </>
      }
    >
      {baseline.changes.length === 0 ? (
        <p>No changes that vehicles or drivers would notice.</p>
      ) : (
        <ChangeGroups groups={baseline.changes} />
      )}
    </Section>
  );
}

function ContactSection({ app }: Readonly<{ app: ApplicationJson }>) {
  return (
    <Section title="Developer contact" id="contact" flush>
      <FactList
        facts={[
          ["Vendor", app.vendor_name || none],
          ["Vendor e-mail", <Mail key="v" address={app.vendor_email} />],
          ["Technical e-mail", <Mail key="t" address={app.tech_email} />],
          ["Technical phone", app.tech_phone ?? none],
        ]}
      />
    </Section>
  );
}

function Mail({ address }: Readonly<{ address: string | null }>) {
  if (!address) return none;
  // The text comes from the directory: only a plausible address becomes a link.
  return /^[^\s@?&]+@[^\s@?&]+$/.test(address) ? <a href={`mailto:${address}`}>{address}</a> : address;
}

function decode(parameter: string): string {
  try {
    return decodeURIComponent(parameter);
  } catch {
    return parameter;
  }
}
