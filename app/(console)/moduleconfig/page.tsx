import type { Metadata } from "next";
import { Notice } from "@/app/_components/feedback/notice";
import { EmptyState } from "@/app/_components/feedback/empty-state";
import { requirePage } from "@/lib/platform/auth/callers/require-page";
import { loadModuleConfigPage, moduleConfigPageQuery } from "@/app/(console)/moduleconfig/queries";
import { findExposure } from "@/lib/certificates/exposure";
import { requirePageQuery } from "@/app/_console/require-page-query";
import { loadSettings } from "@/lib/platform/settings";
import { announcesPlainHttp, phonesAskByHttps } from "@/lib/vocabulary/phones";
import { CertificateCard } from "./certificate-card";
import { ModuleConfigEditor, ModuleConfigHeader } from "./module-config-editor";

export const metadata: Metadata = { title: "Module config" };

export default async function ModuleConfigPage({ searchParams }: PageProps<"/moduleconfig">) {
  await requirePage("read");
  const { environment } = requirePageQuery("/moduleconfig", moduleConfigPageQuery, await searchParams);
  const { shown, production, certificate } = await loadModuleConfigPage(environment);
  if (shown === null) {
    return (
      <>
        <ModuleConfigHeader status={null} />
        <EmptyState title="No module config">
          This environment has no module config. The server stores a default one at its first start.
        </EmptyState>
      </>
    );
  }
  const settings = loadSettings();
  return (
    <ModuleConfigEditor key={environment} config={shown} production={production} environment={environment}>
      {announcesPlainHttp(settings.publicBaseUrl) && (
        <Notice title={phonesAskByHttps}>
          Vehicles are given the address {settings.publicBaseUrl} (PUBLIC_BASE_URL). Give this server a certificate or
          let a proxy answer HTTPS there.
        </Notice>
      )}
      <CertificateCard
        state={certificate}
        environment={environment}
        isKeyPublic={findExposure(settings).isModuleKeyPublic}
      />
    </ModuleConfigEditor>
  );
}
