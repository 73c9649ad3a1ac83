"use client";
import { CertificateEditor } from "@/app/_components/certificate/certificate-editor";
import { CertificatePanel } from "@/app/_components/certificate/certificate-panel";
import type { CertificatePair } from "@/app/_components/certificate/generate-dialog";
import { showDone } from "@/app/_components/feedback/show-toast";
import { useAction } from "@/app/_components/hooks/use-action";
import type { CertificateState } from "@/lib/certificates/generation";
import { get } from "@/lib/platform/http/client";

/** The certificate by which head units identify the app, and its private key. */
export function CertificateSection({
  id,
  uuid,
  state,
}: Readonly<{ id: number; uuid: string; state: CertificateState }>) {
  const save = useAction("/api/v1/applications/certificate");
  return (
    <CertificatePanel state={state}>
      {(stored) => (
        <CertificateEditor
          name={uuid}
          stored={stored}
          none="This app has no certificate."
          load={async () => readPair(await get(`/api/v1/applications?id=${id}`))}
          editing={{
            serialNumber: uuid,
            description:
              "Empty fields use the server settings. The serial number is the app’s UUID, so that a head unit knows whose certificate it is.",
            store: ({ certificate, privateKey }) =>
              save.run({ options: { app_uuid: uuid, clientKey: privateKey, certificate } }),
            onStored: () => showDone("Key and certificate saved"),
          }}
        />
      )}
    </CertificatePanel>
  );
}

/** The two members that only the response for a single app has (`api.md` 3.1). */
function readPair(data: unknown): CertificatePair {
  const { applications } = data as {
    applications: readonly { readonly certificate?: string; readonly private_key?: string }[];
  };
  const { certificate = "", private_key: privateKey = "" } = applications[0] ?? {};
  return { certificate, privateKey };
}
