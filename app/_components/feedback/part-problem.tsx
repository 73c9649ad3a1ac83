"use client";
import { RotateCw } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { useSelfRetry } from "@/app/_components/hooks/use-self-retry";
import { Button } from "@/app/_components/ui/button";
import { ProblemBox, Reference } from "@/app/_components/feedback/problem";

export function PartProblem({
  sentence,
  reference,
}: Readonly<{ /** Says which part failed. */ sentence: string; reference: string }>) {
  const router = useRouter();
  const [isReading, startReading] = useTransition();
  const read = () => startReading(() => router.refresh());
  useSelfRetry(read);
  return (
    <ProblemBox sentence={sentence}>
      <Reference id={reference} />
      <Button size="sm" needsServer busy={isReading} onClick={read}>
        <RotateCw aria-hidden="true" />
        Retry
      </Button>
    </ProblemBox>
  );
}
