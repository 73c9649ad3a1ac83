import { useState } from "react";
import type { CertificatePair } from "@/app/_components/certificate/generate-dialog";
import { useLeaveGuard } from "@/app/_components/form/leave-guard";

const nothing: CertificatePair = { certificate: "", privateKey: "" };

/** Names an unstored pair among what is unsaved on a page (`listDirty`). */
export const pairKey = (name: string) => `volatile:certificate:${name}`;

/**
 * A key and a certificate while they are looked at or changed. Never kept anywhere but in this page's memory: a draft
 * in the browser's storage could be read by others. Whoever leaves the page is asked, as they would be lost.
 */
export function useCertificatePair(name: string) {
  const [pair, setPair] = useState(nothing);
  /** What was last loaded; all else is unsaved. */
  const [known, setKnown] = useState(nothing);
  const [problem, setProblem] = useState<unknown>(null);
  const [busy, setBusy] = useState<"loading" | "saving" | null>(null);
  const isChanged = pair.certificate !== known.certificate || pair.privateKey !== known.privateKey;
  const [hasCertificate, hasKey] = [pair.certificate.trim() !== "", pair.privateKey.trim() !== ""];

  useLeaveGuard(pairKey(name), isChanged);

  function begin(first: CertificatePair) {
    setPair(first);
    setKnown(first);
    setProblem(null);
  }

  /** Works on the pair: afterwards the one that `work` gives is the known one. Gives whether it went well. */
  async function attempt(what: "loading" | "saving", work: () => Promise<CertificatePair>): Promise<boolean> {
    setBusy(what);
    setProblem(null);
    try {
      begin(await work());
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
    /** Puts another pair in its place, not stored yet. */
    replace: (made: CertificatePair) => {
      setPair(made);
      setProblem(null);
    },
    clear: () => begin(nothing),
    load: (read: () => Promise<CertificatePair>) => attempt("loading", read),
    save: (store: (pair: CertificatePair) => Promise<unknown>) =>
      attempt("saving", async () => {
        await store(pair);
        // What is stored is described beside it; the key need not stay on the page.
        return nothing;
      }),
    problem,
    busy,
    isChanged,
    isHalf: hasCertificate !== hasKey,
    isEmpty: !hasCertificate && !hasKey,
  };
}
