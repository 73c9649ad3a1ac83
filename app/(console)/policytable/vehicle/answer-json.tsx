"use client";
import dynamic from "next/dynamic";
import { useState } from "react";
import { Button } from "@/app/_components/ui/button";
import { Section } from "@/app/_components/ui/section";
import { Skeleton } from "@/app/_components/ui/skeleton";

const JsonViewer = dynamic(() => import("@/app/_components/json-viewer/json-viewer").then((m) => m.JsonViewer), {
  ssr: false,
  loading: () => <Skeleton className="h-112" />,
});

/** The whole policy table of the answer; fetched code and drawn lines only for who wants to see it. */
export function AnswerJson({ table, source }: Readonly<{ table: unknown; source: string }>) {
  const [isShown, setIsShown] = useState(false);
  return (
    <Section
      title="The whole answer"
      description="The policy table as the vehicle gets it. The private key is taken out."
      flush={isShown}
      actions={
        <Button size="sm" aria-expanded={isShown} onClick={() => setIsShown(!isShown)}>
          {isShown ? "Hide the JSON" : "Show the JSON"}
        </Button>
      }
    >
      {isShown && (
        <JsonViewer
          value={table}
          label="Policy table of the answer"
          fileName={`policy-table-vehicle-${source}.json`}
          firstDepth={2}
          className="h-[70dvh] min-h-96"
        />
      )}
    </Section>
  );
}
