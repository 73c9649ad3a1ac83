"use client";
import { KeyRound } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { Button } from "@/app/_components/button";
import { CertificateFacts } from "@/app/_components/certificate/certificate-facts";
import { GenerateButton } from "@/app/_components/certificate/generate-button";
import type { CertificatePair } from "@/app/_components/certificate/generate-dialog";
import { PrivateKeyField } from "@/app/_components/certificate/private-key-field";
import { Notice } from "@/app/_components/notice";
import { Problem } from "@/app/_components/problem";
import { Section } from "@/app/_components/section";
import { showDone } from "@/app/_components/show-toast";
import { useAction } from "@/app/_components/use-action";
import { useLeaveGuard } from "@/app/_components/form/use-leave-guard";
import { TextAreaField } from "@/app/_components/text-area-field";
import type { AppCertificateState } from "@/lib/certificates/app-certificate-state";
import type { CertificateDescription } from "@/lib/certificates/describe";
import { get } from "@/lib/http/client";

/** The certificate by which a head unit knows the app, and the key that belongs to it. */
export function CertificateSection({
  id,
  uuid,
  state,
}: Readonly<{ id: number; uuid: string; state: AppCertificateState }>) {
  return (
    <Section id="certificate" title="Certificate">
      {state.kind === "off" && (
        <p className="text-muted">
          Certificate generation is off. Settings that are missing or cannot be read:{" "}
          {state.missing.map((name, index) => (
            <span key={name}>
              {index > 0 && ", "}
              <code className="font-mono text-xs text-text">{name}</code>
            </span>
          ))}
          . <Link href="/about">See the configuration</Link>
        </p>
      )}
      {state.kind === "unusable" && (
        <Notice>
          Certificates cannot be made: the key and the certificate of the authority do not open with the passphrase of
          the settings, or do not belong together.
        </Notice>
      )}
      {state.kind === "ready" && <CertificateEditor id={id} uuid={uuid} stored={state.stored} />}
    </Section>
  );
}

const nothing: CertificatePair = { certificate: "", privateKey: "" };

/** Never kept anywhere but in this page's memory: a draft in the browser's storage could be read by others. */
function CertificateEditor({
  id,
  uuid,
  stored,
}: Readonly<{ id: number; uuid: string; stored: CertificateDescription | null }>) {
  const store = useAction("/api/v1/applications/certificate");
  const [pair, setPair] = useState(nothing);
  /** What was last loaded or stored; all else is unsaved. */
  const [known, setKnown] = useState(nothing);
  const [problem, setProblem] = useState<unknown>(null);
  const [busy, setBusy] = useState<"loading" | "saving" | null>(null);
  const isChanged = pair.certificate !== known.certificate || pair.privateKey !== known.privateKey;
  const isHalf = (pair.certificate.trim() === "") !== (pair.privateKey.trim() === "");
  const isEmpty = pair.certificate.trim() === "" && pair.privateKey.trim() === "";

  useLeaveGuard(`volatile:certificate:${uuid}`, isChanged);

  async function attempt(what: "loading" | "saving", work: () => Promise<void>) {
    setBusy(what);
    setProblem(null);
    try {
      await work();
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(null);
    }
  }

  const load = () =>
    attempt("loading", async () => {
      const loaded = readPair(await get(`/api/v1/applications?id=${id}`));
      setPair(loaded);
      setKnown(loaded);
    });

  const save = () =>
    attempt("saving", async () => {
      const options = { app_uuid: uuid, clientKey: pair.privateKey, certificate: pair.certificate };
      await store.run({ options });
      // What is stored is described above; the key need not stay on the page.
      setPair(nothing);
      setKnown(nothing);
      showDone("Key and certificate are stored");
    });

  return (
    <div className="space-y-4">
      {isHalf && (
        <div role="alert" className="rounded-card border border-bad-line bg-bad-soft px-3 py-2 text-table text-bad">
          Key and certificate belong together: give both, or neither.
        </div>
      )}
      {stored === null ? (
        <p className="text-muted">No certificate is stored for this app.</p>
      ) : (
        <CertificateFacts stored={stored} />
      )}
      <div className="grid gap-4 lg:grid-cols-2">
        <TextAreaField
          label="Certificate"
          hint="PEM"
          mono
          rows={5}
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
      {problem !== null && <Problem error={problem} />}
      {isChanged && !isHalf && !isEmpty && (
        <Notice>Not stored yet: this key and certificate are lost when you leave the page without saving.</Notice>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <GenerateButton
          serialNumber={uuid}
          description="What you leave empty is taken from the settings of the server. The serial number is the UUID of the app: by it a head unit knows whose certificate it is."
          onGenerated={(made) => {
            setProblem(null);
            setPair(made);
          }}
        />
        {stored !== null && (
          <Button needsServer busy={busy === "loading"} disabled={busy !== null} onClick={() => void load()}>
            <KeyRound aria-hidden="true" />
            Load the stored key and certificate
          </Button>
        )}
        {(isChanged || !isEmpty) && (
          <Button
            variant="ghost"
            disabled={busy !== null}
            onClick={() => {
              setPair(nothing);
              setKnown(nothing);
              setProblem(null);
            }}
          >
            {isChanged ? "Discard" : "Clear"}
          </Button>
        )}
        <Button
          variant="primary"
          className="ml-auto"
          needsServer
          busy={busy === "saving"}
          disabled={busy !== null || !isChanged || isHalf || isEmpty}
          onClick={() => void save()}
        >
          Save key and certificate
        </Button>
      </div>
    </div>
  );
}

/** The two members that only the answer for one app carries (`api.md` 3.1). */
function readPair(data: unknown): CertificatePair {
  const { applications } = data as {
    applications: readonly { readonly certificate?: string; readonly private_key?: string }[];
  };
  const { certificate = "", private_key: privateKey = "" } = applications[0] ?? {};
  return { certificate, privateKey };
}
