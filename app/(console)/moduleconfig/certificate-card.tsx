"use client";
import { Button } from "@/app/_components/ui/button";
import { CertificateEditor } from "@/app/_components/certificate/certificate-editor";
import { CertificatePanel } from "@/app/_components/certificate/certificate-panel";
import type { CertificatePair } from "@/app/_components/certificate/generate-dialog";
import { ConfirmDialog } from "@/app/_components/overlay/confirm-dialog";
import { Notice } from "@/app/_components/feedback/notice";
import { showDone } from "@/app/_components/feedback/show-toast";
import { useAction } from "@/app/_components/hooks/use-action";
import type { CertificateState } from "@/lib/certificates/generation";
import type { Environment } from "@/lib/vocabulary/terms";
import { readRecord } from "@/app/_records/family";
import { moduleStore, pairName, readPair, toPairBody } from "./editable";

const nothing: CertificatePair = { certificate: "", privateKey: "" };

/** Head units recognize this server's tables by it. Saved independently of other settings. */
export function CertificateCard({
  state,
  environment,
  isKeyPublic,
}: Readonly<{
  state: CertificateState;
  environment: Environment;
  isKeyPublic: boolean;
}>) {
  const save = useAction("/api/v1/module");

  /** Unsaved edits are rebased onto the result. */
  async function store(pair: CertificatePair) {
    const { id, form } = await readRecord(moduleStore, "module config");
    await save.run(toPairBody(form, pair, id));
  }

  return (
    <CertificatePanel state={state}>
      {(stored) => (
        <>
          {isKeyPublic && (
            <Notice className="mb-4">
              Policy tables contain this private key as plain text, and anyone who can reach this server can request
              one. Set <code className="font-mono text-xs">MODULE_CONFIG_ENCRYPT_CERT_BUNDLE=true</code> if your head
              units can open containers; those in PROPRIETARY or HTTP mode read PEM only.
            </Notice>
          )}
          <CertificateEditor
            name={pairName}
            stored={stored}
            none="No certificate is stored."
            load={() => readPair(environment)}
            editing={
              environment === "production"
                ? null
                : {
                    description: "Empty fields use the server settings.",
                    store,
                    onStored: () => showDone("Key and certificate saved to staging"),
                    acts: stored !== null && <RemoveButton remove={() => store(nothing)} />,
                  }
            }
          />
        </>
      )}
    </CertificatePanel>
  );
}

function RemoveButton({ remove }: Readonly<{ remove: () => Promise<void> }>) {
  return (
    <ConfirmDialog
      title="Remove key and certificate?"
      confirmLabel="Remove from staging"
      danger
      onConfirm={remove}
      trigger={
        <Button variant="ghost" needsServer needs="administer">
          Remove…
        </Button>
      }
    >
      The staging table will have no certificate. The production table keeps its own until you publish.
    </ConfirmDialog>
  );
}
