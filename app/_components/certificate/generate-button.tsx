"use client";
import dynamic from "next/dynamic";
import { useState } from "react";
import { Button } from "@/app/_components/ui/button";
import type { CertificatePair } from "@/app/_components/certificate/generate-dialog";

const GenerateDialog = dynamic(
  () => import("@/app/_components/certificate/generate-dialog").then((m) => m.GenerateDialog),
  { ssr: false },
);

/** Opens the dialog that makes a key and a certificate; its code is fetched when it is asked for. */
export function GenerateButton({
  serialNumber,
  description,
  onGenerated,
}: Readonly<{
  /** Goes into the subject; for apps their uuid. */
  serialNumber?: string;
  /** What becomes of fields left empty. */
  description: string;
  onGenerated: (pair: CertificatePair) => void;
}>) {
  /** Null: never asked, and its code not fetched. */
  const [isAsking, setIsAsking] = useState<"open" | "closed" | null>(null);
  return (
    <>
      <Button needsServer needs="administer" onClick={() => setIsAsking("open")}>
        Generate key and certificate…
      </Button>
      {isAsking !== null && (
        <GenerateDialog
          open={isAsking === "open"}
          onOpenChange={(isOpen) => setIsAsking(isOpen ? "open" : "closed")}
          serialNumber={serialNumber}
          description={description}
          onGenerated={onGenerated}
        />
      )}
    </>
  );
}
