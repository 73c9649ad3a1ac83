import { KeyRound } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "@/app/_components/ui/button";
import { CertificateFacts } from "@/app/_components/certificate/certificate-facts";
import type { CertificatePair, GenerateProps } from "@/app/_components/certificate/generate-dialog";
import { PrivateKeyField } from "@/app/_components/certificate/private-key-field";
import { useCertificatePair } from "@/app/_components/certificate/use-certificate-pair";
import { Notice } from "@/app/_components/feedback/notice";
import { Problem } from "@/app/_components/feedback/problem";
import { overlay } from "@/app/_components/overlay/on-demand";
import { TextAreaField } from "@/app/_components/fields/text-field";
import type { CertificateDescription } from "@/lib/certificates/describe";

const GenerateDialog = overlay<GenerateProps>(() =>
  import("@/app/_components/certificate/generate-dialog").then((m) => m.GenerateDialog),
);

export interface CertificateEditing {
  /** @throws ApiError */
  readonly store: (pair: CertificatePair) => Promise<unknown>;
  readonly onStored: () => void;
  readonly serialNumber?: string;
  readonly description: string;
  readonly acts?: ReactNode;
}

export function CertificateEditor({
  name,
  stored,
  none,
  load,
  editing,
}: Readonly<{
  name: string;
  stored: CertificateDescription | null;
  none: string;
  /** @throws ApiError */
  load: () => Promise<CertificatePair>;
  /** Null: read-only. */
  editing: CertificateEditing | null;
}>) {
  const work = useCertificatePair(name);
  const { pair, change, busy, isChanged, isHalf, isEmpty } = work;
  const isOff = busy !== null;

  async function save({ store, onStored }: CertificateEditing) {
    if (await work.save(store)) onStored();
  }

  return (
    <div className="space-y-4">
      {isHalf && (
        <div role="alert" className="rounded-card border border-bad-line bg-bad-soft px-3 py-2 text-table text-bad">
          Enter both the key and the certificate, or neither.
        </div>
      )}
      {stored === null ? <p className="text-table text-muted">{none}</p> : <CertificateFacts stored={stored} />}
      {(editing !== null || !isEmpty) && (
        <div className="grid gap-4 lg:grid-cols-2">
          <TextAreaField
            label="Certificate"
            hint="PEM"
            mono
            rows={5}
            spellCheck={false}
            value={pair.certificate}
            onChange={editing && ((certificate) => change({ ...pair, certificate }))}
          />
          <PrivateKeyField
            value={pair.privateKey}
            onChange={editing && ((privateKey) => change({ ...pair, privateKey }))}
          />
        </div>
      )}
      {work.problem !== null && <Problem error={work.problem} />}
      {isChanged && !isHalf && !isEmpty && (
        <Notice>Not saved yet. You lose this key and certificate if you leave the page without saving.</Notice>
      )}
      <div className="flex flex-wrap items-center gap-2">
        {editing && (
          <GenerateDialog
            trigger={generateButton}
            serialNumber={editing.serialNumber}
            description={editing.description}
            onGenerated={work.replace}
          />
        )}
        {stored !== null && (
          <Button
            needsServer
            needs="administer"
            busy={busy === "loading"}
            disabled={isOff}
            onClick={() => void work.load(load)}
          >
            <KeyRound aria-hidden="true" />
            Load stored key and certificate
          </Button>
        )}
        {editing?.acts}
        {(isChanged || !isEmpty) && (
          <Button variant="ghost" disabled={isOff} onClick={work.clear}>
            {isChanged ? "Discard" : "Clear"}
          </Button>
        )}
        {editing && (
          <Button
            variant="primary"
            className="ml-auto"
            needsServer
            needs="administer"
            busy={busy === "saving"}
            disabled={isOff || !isChanged || isHalf || isEmpty}
            onClick={() => void save(editing)}
          >
            Save key and certificate
          </Button>
        )}
      </div>
    </div>
  );
}

const generateButton = (
  <Button needsServer needs="administer">
    Generate key and certificate…
  </Button>
);
