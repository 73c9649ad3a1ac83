import { useState } from "react";
import type { CertificatePair } from "@/app/_components/certificate/generate-dialog";
import { useLeaveGuard } from "@/app/_components/form/leave-guard";

const nothing: CertificatePair = { certificate: "", privateKey: "" };

/** Only in memory: others could read a draft in the browser's storage. */
export function useCertificatePair(name: string) {
  const [pair, setPair] = useState(nothing);
  const [known, setKnown] = useState(nothing);
  const [problem, setProblem] = useState<unknown>(null);
  const [busy, setBusy] = useState<"loading" | "saving" | null>(null);
  const isChanged = pair.certificate !== known.certificate || pair.privateKey !== known.privateKey;
  const [hasCertificate, hasKey] = [pair.certificate.trim() !== "", pair.privateKey.trim() !== ""];

  useLeaveGuard(`certificate:${name}`, isChanged);

  function begin(first: CertificatePair) {
    setPair(first);
    setKnown(first);
    setProblem(null);
  }

  async function attempt(what: "loading" | "saving", work: () => Promise<void>): Promise<boolean> {
    setBusy(what);
    setProblem(null);
    try {
      await work();
      return true;
    } catch (error) {
      setProblem(error);
      return false;
    } finally {
      setBusy(null);
    }
  }

  return {
    pair,
    change: setPair,
    replace: (made: CertificatePair) => {
      setPair(made);
      setProblem(null);
    },
    clear: () => begin(nothing),
    load: (read: () => Promise<CertificatePair>) => attempt("loading", async () => begin(await read())),
    save: (store: (pair: CertificatePair) => Promise<unknown>) =>
      attempt("saving", async () => {
        await store(pair);
        // The page describes the stored certificate, so the key need not stay in memory; what was typed since does.
        setPair((now) => (now === pair ? nothing : now));
        setKnown(nothing);
      }),
    problem,
    busy,
    isChanged,
    isHalf: hasCertificate !== hasKey,
    isEmpty: !hasCertificate && !hasKey,
  };
}
