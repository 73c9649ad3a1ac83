import type { Metadata } from "next";
import { PartProblem } from "@/app/_components/feedback/part-problem";
import { Section } from "@/app/_components/ui/section";
import { HistorySection } from "@/app/_releases/history/history-section";
import type { ApplicationJson } from "@/lib/apps/applications/answer-schema";
import { loadPolicySegments } from "@/lib/apps/applications/policy-segments";
import { requirePage } from "@/lib/platform/auth/callers/require-page";
import { loadAppCertificateState } from "@/lib/certificates/app/app-certificate-state";
import { loadPart } from "@/lib/console/load-part";
import { isAppError } from "@/lib/platform/errors";
import type { MatrixAnswer } from "@/lib/simulator/answer-schema";
import { loadMatrix } from "@/lib/simulator/answers/queries";
import { CertificateSection } from "./certificate-section";
import { ChangesSection } from "./changes-section";
import { ContactSection } from "./contact-section";
import { DecisionBar, DecisionCard } from "./decision-card";
import { DecisionProvider } from "./decision-provider";
import { DetailHeader } from "./detail-header";
import { FactsSection } from "./facts-section";
import { GrantsSection } from "./grants-section";
import { HeadUnitSection } from "./head-unit-section";
import { requireDetail } from "./load";
import { PolicySection } from "./policy-section";
import { SectionIndex, type IndexEntry } from "@/app/_components/ui/outline/section-index";
import { SettingsSection } from "./settings-section";
import { VersionsSection } from "./versions-section";
import { WhySection } from "./why/why-section";

type Props = PageProps<"/applications/[id]">;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  await requirePage("read");
  const { app } = await requireDetail((await params).id);
  return { title: app.name };
}

const sections: readonly IndexEntry[] = [
  { id: "changes", label: "Changes" },
  { id: "facts", label: "General information" },
  { id: "permissions", label: "Permissions, and why" },
  { id: "grants", label: "Grants by hand" },
  { id: "settings", label: "Settings" },
  { id: "contact", label: "Developer contact" },
  { id: "certificate", label: "Certificate" },
  { id: "policy", label: "Policy preview" },
  { id: "versions", label: "Versions" },
  { id: "history", label: "History" },
];

/** Decide about one version of an app, and set what the app may do. */
export default async function ApplicationPage({ params }: Props) {
  await requirePage("read");
  const detail = await requireDetail((await params).id);
  const { app, state, versions } = detail;
  const [segments, certificate, rights] = await Promise.all([
    loadPart("policy of an app", () => loadPolicySegments(app.uuid)),
    loadPart("certificate of an app", () => loadAppCertificateState(app.uuid)),
    loadPart("rights of an app", () => findRights(app)),
  ]);
  return (
    <DecisionProvider detail={detail}>
      <DetailHeader detail={detail} />
      <div className="gap-6 xl:grid xl:grid-cols-[minmax(0,1fr)_10rem]">
        <div className="min-w-0 space-y-4">
          <DecisionCard />
          <HeadUnitSection
            cuts={detail.cuts}
            holds={detail.holds}
            segments={"value" in segments ? segments.value : null}
          />
          <ChangesSection detail={detail} />
          <FactsSection app={app} />
          <WhySection
            key={app.id}
            uuid={app.uuid}
            id={app.id}
            label={versions.find(({ id }) => id === app.id)?.label ?? "this version"}
            first={"value" in rights ? rights.value : null}
          />
          <GrantsSection app={app} groups={detail.groups} />
          <SettingsSection app={app} state={state} />
          <ContactSection app={app} />
          {"value" in certificate ? (
            <CertificateSection key={app.uuid} uuid={app.uuid} id={app.id} state={certificate.value} />
          ) : (
            <Section id="certificate" title="Certificate">
              <PartProblem sentence="The certificate could not be read." {...certificate} />
            </Section>
          )}
          {"value" in segments ? (
            <PolicySection segments={segments.value} />
          ) : (
            <Section id="policy" title="Policy preview">
              <PartProblem sentence="What vehicles are told about this app could not be read." {...segments} />
            </Section>
          )}
          <VersionsSection detail={detail} />
          <HistorySection
            item={{ family: "app", key: app.uuid }}
            description="What was decided about each version, when it was published, and what changed between them."
          />
        </div>
        <SectionIndex entries={sections} />
      </div>
      <DecisionBar />
    </DecisionProvider>
  );
}

/** What the version gets in staging, or would get; null: that cannot be told now, and the section says why. */
async function findRights({ uuid, id }: ApplicationJson): Promise<MatrixAnswer | null> {
  try {
    return await loadMatrix({ app: uuid, version: id, environment: "staging" });
  } catch (error) {
    if (isAppError(error)) return null;
    throw error;
  }
}
