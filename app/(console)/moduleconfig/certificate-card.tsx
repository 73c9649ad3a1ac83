"use client";
import { useState } from "react";
import { Button } from "@/app/_components/button";
import { CertificateFacts } from "@/app/_components/certificate/certificate-facts";
import { GenerateButton } from "@/app/_components/certificate/generate-button";
import type { CertificatePair } from "@/app/_components/certificate/generate-dialog";
import { PrivateKeyField } from "@/app/_components/certificate/private-key-field";
import { ConfirmDialog } from "@/app/_components/confirm-dialog";
import { Notice } from "@/app/_components/notice";
import { Problem } from "@/app/_components/problem";
import { Section } from "@/app/_components/section";
import { showDone } from "@/app/_components/show-toast";
import { TextAreaField } from "@/app/_components/text-area-field";
import type { ModuleCertificateState } from "@/lib/console/module-config";
import { useSaveCertificate } from "./use-save-certificate";

const nothing: CertificatePair = { certificate: "", privateKey: "" };

/** By it head units know this server's tables. Stored on its own: other settings, saved or not, stay as they are. */
export function CertificateCard({
  certificate,
  isReadOnly,
}: Readonly<{ certificate: ModuleCertificateState; isReadOnly: boolean }>) {
  return (
    <Section id="certificate" title="Certificate">
      {certificate.kind === "off" ? (
        <p className="text-table text-muted">
          Certificate generation is off. Settings that are missing or whose files cannot be read:{" "}
          <code className="font-mono text-xs text-text">{certificate.missing.join(", ")}</code>.
        </p>
      ) : (
        <div className="space-y-4">
          {certificate.stored === null ? (
            <p className="text-table text-muted">No certificate is stored.</p>
          ) : (
            <CertificateFacts stored={certificate.stored} />
          )}
          {!isReadOnly && <Editor hasStored={certificate.stored !== null} />}
        </div>
      )}
    </Section>
  );
}

function Editor({ hasStored }: Readonly<{ hasStored: boolean }>) {
  // Only in this page's memory: a draft in the browser's storage could be read by others.
  const [pair, setPair] = useState(nothing);
  const { store, isStoring, problem } = useSaveCertificate();
  const isEmpty = pair.certificate === "" && pair.privateKey === "";
  const isHalf = (pair.certificate.trim() === "") !== (pair.privateKey.trim() === "");

  async function save() {
    if (await store(pair)) {
      setPair(nothing);
      showDone("Key and certificate are stored in staging");
    }
  }

  return (
    <div className="space-y-4 border-t border-line pt-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <TextAreaField
          label="Certificate"
          hint="PEM"
          mono
          rows={4}
          spellCheck={false}
          value={pair.certificate}
          onChange={(certificate) => {
            setPair({ ...pair, certificate });
          }}
        />
        <PrivateKeyField
          value={pair.privateKey}
          onChange={(privateKey) => {
            setPair({ ...pair, privateKey });
          }}
        />
      </div>
      {isHalf && (
        <p role="alert" className="text-table text-bad">
          Key and certificate belong together: give both, or neither.
        </p>
      )}
      {problem !== null && <Problem error={problem} />}
      {!isEmpty && !isHalf && <Notice>Not stored yet: lost when you leave the page without storing it.</Notice>}
      <div className="flex flex-wrap items-center gap-2">
        <GenerateButton
          description="What you leave empty is taken from the settings of the server."
          onGenerated={setPair}
        />
        {hasStored && (
          <ConfirmDialog
            title="Remove key and certificate?"
            confirmLabel="Remove them from staging"
            danger
            onConfirm={async () => {
              if (!(await store(nothing))) throw new Error("They could not be removed; the reason stands on the page.");
            }}
            trigger={
              <Button variant="ghost" needsServer>
                Remove…
              </Button>
            }
          >
            The table of staging then carries no certificate; that of production keeps its own until you promote.
          </ConfirmDialog>
        )}
        {!isEmpty && (
          <>
            <Button
              variant="ghost"
              className="ml-auto"
              onClick={() => {
                setPair(nothing);
              }}
            >
              Discard
            </Button>
            <Button variant="primary" needsServer busy={isStoring} disabled={isHalf} onClick={() => void save()}>
              Store key and certificate
            </Button>
          </>
        )}
      </div>
    </div>
  );
}
