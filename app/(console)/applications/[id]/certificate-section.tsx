"use client";
import { useState } from "react";
import { CertificateEditor } from "@/app/_components/certificate/certificate-editor";
import { CertificatePanel } from "@/app/_components/certificate/certificate-panel";
import type { CertificatePair } from "@/app/_components/certificate/generate-dialog";
import { Notice } from "@/app/_components/feedback/notice";
import { showDone } from "@/app/_components/feedback/show-toast";
import { useAction } from "@/app/_components/hooks/use-action";
import type { AppCertificateAnswer } from "@/lib/certificates/answer-schema";
import type { CertificateState } from "@/lib/certificates/generation";
import { get } from "@/lib/platform/http/client";

export function CertificateSection({
  id,
  uuid,
  state,
}: Readonly<{ id: number; uuid: string; state: CertificateState }>) {
  const save = useAction("/api/v1/applications/certificate");
  const [notes, setNotes] = useState<readonly string[]>([]);

  async function store({ certificate, privateKey }: CertificatePair) {
    const answer = await save.run({ options: { app_uuid: uuid, clientKey: privateKey, certificate } });
    setNotes((answer as AppCertificateAnswer).notes ?? []);
  }

  return (
    <CertificatePanel state={state}>
      {(stored) => (
        <>
          {notes.length > 0 && (
            <Notice tone="warn" title="Saved, but head units may refuse it">
              {notes.map((note) => (
                <p key={note}>{note}</p>
              ))}
            </Notice>
          )}
          <CertificateEditor
            name={uuid}
            stored={stored}
            none="This app has no certificate."
            load={async () => readPair(await get(`/api/v1/applications?id=${id}`))}
            editing={{
              serialNumber: uuid,
              description:
                "Empty fields use the server settings. The serial number is the app’s UUID, so that a head unit knows whose certificate it is.",
              store,
              onStored: () => showDone("Key and certificate saved"),
            }}
          />
        </>
      )}
    </CertificatePanel>
  );
}

/** Only the response for a single app has these two members (`api.md` 3.1). */
function readPair(data: unknown): CertificatePair {
  const { applications } = data as {
    applications: readonly { readonly certificate?: string; readonly private_key?: string }[];
  };
  const { certificate = "", private_key: privateKey = "" } = applications[0] ?? {};
  return { certificate, privateKey };
}
