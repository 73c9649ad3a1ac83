import type { Metadata } from "next";
import { PageHeader } from "@/app/_components/ui/page-header";
import { Section } from "@/app/_components/ui/section";
import { requirePage } from "@/lib/platform/auth/callers/require-page";
import { DownloadButtons } from "./download-buttons";
import { ImportForm } from "./import-form";

export const metadata: Metadata = { title: "Import and export" };

export default async function ExchangePage() {
  await requirePage("read");
  return (
    <>
      <PageHeader
        title="Import and export"
        description="Take the configuration of this server to another one, or keep it as a file."
      />
      <div className="space-y-4">
        <Section
          title="Download"
          description="Groups, messages, vehicle data, module config and decisions about apps as one JSON file, without certificates and keys."
        >
          <DownloadButtons />
        </Section>
        <Section
          title="Import into staging"
          description="You see what would change before anything is saved. An import publishes nothing."
        >
          <ImportForm />
        </Section>
      </div>
    </>
  );
}
