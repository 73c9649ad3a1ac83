"use client";
import useSWR from "swr";
import { Review } from "@/app/(console)/changes/review";
import { ErrorPanel } from "@/app/_components/feedback/error-panel";
import { PageSkeleton } from "@/app/_components/ui/skeleton";
import type { Choice } from "@/app/_releases/item-address";
import { changesPath } from "@/app/_releases/review-data";
import type { ChangesAnswer } from "@/lib/releases/answer-schema";

/** Reads the review, then shows it. */
export function ReviewLoader({ choices }: Readonly<{ choices: readonly Choice[] }>) {
  const { data, error, mutate } = useSWR<ChangesAnswer, unknown>(changesPath);
  if (error !== undefined) return <ErrorPanel error={error} onRetry={() => void mutate()} />;
  if (data === undefined) return <PageSkeleton label="Loading the changes" />;
  return <Review first={data} choices={choices} freeze={null} last={null} />;
}
