import type { Metadata } from "next";
import { EmptyState } from "@/app/_components/empty-state";
import { guides } from "@/app/_components/guides";
import { PageHeader } from "@/app/_components/page-header";
import { RecordChip } from "@/app/_components/status-chip";
import { requireAdminPage } from "@/lib/auth/session";
import { loadModuleConfigPage } from "@/lib/console/module-config";
import { queryEnvironment } from "@/lib/http/query";
import { CertificateCard } from "./certificate-card";
import { ModuleConfigForm } from "./module-config-form";
import { PromoteButton } from "./promote-button";

export const metadata: Metadata = { title: "Module config" };

const environmentQuery = queryEnvironment("staging");

/** The settings that every head unit receives: read and changed in staging, read in production. */
export default async function ModuleConfigPage({ searchParams }: PageProps<"/moduleconfig">) {
  await requireAdminPage();
  const environment = environmentQuery.parse((await searchParams).environment);
  const { shown, production, certificate } = await loadModuleConfigPage(environment);
  const isStaging = environment === "staging";
  const isModified = isStaging && shown?.status === "STAGING";
  return (
    <>
      <PageHeader
        title="Module config"
        helpHref={guides.moduleConfig}
        description="When head units ask for a new table, where they find things, and how many notifications apps may show."
        state={shown && <RecordChip status={shown.status} isDeleted={false} />}
        actions={isModified && <PromoteButton staged={shown} production={production} />}
      />
      {shown === null ? (
        <EmptyState title="No module config">
          Nothing is stored for this environment. The first start of the server stores a default one.
        </EmptyState>
      ) : (
        <>
          <ModuleConfigForm key={environment} config={shown} production={production} isReadOnly={!isStaging}>
            <CertificateCard certificate={certificate} isReadOnly={!isStaging} />
          </ModuleConfigForm>
        </>
      )}
    </>
  );
}
