import { CircleCheck, CircleX } from "lucide-react";
import { Link } from "@/app/_components/ui/link";
import { itemAddress, type ItemKey } from "@/lib/labels/release-items";
import type { QuestionAnswerJson } from "@/lib/simulator/answer-schema";
import type { Environment } from "@/lib/labels/vocabulary";

/** The verdict, yes or no, its reasons in order, and what would change it. */
export function QuestionResult({
  answer: { is_allowed: isAllowed, sentence, chain, remedies },
  environment,
}: Readonly<{ answer: QuestionAnswerJson; environment: Environment }>) {
  const Icon = isAllowed ? CircleCheck : CircleX;
  return (
    <div role="status" className="rounded-card border border-line bg-page px-4 py-3 text-table">
      <p className="flex gap-2 font-medium">
        <Icon aria-hidden="true" className={`mt-0.5 size-4 shrink-0 ${isAllowed ? "text-good" : "text-bad"}`} />
        {sentence}
      </p>
      <ol aria-label="Reasons" className="mt-2 list-decimal space-y-0.5 pl-10">
        {chain.map((reason, index) => (
          <li key={index}>{reason}</li>
        ))}
      </ol>
      {remedies.length > 0 && (
        <>
          <h3 className="mt-3 pl-6 font-semibold">What would change this</h3>
          <ul className="mt-1 list-disc space-y-0.5 pl-10">
            {remedies.map(({ sentence: remedy, item }) => (
              <li key={remedy}>
                {remedy} {item && <Link href={itemAddress(item, environment)}>{labelOf(item)}</Link>}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function labelOf({ family, key }: ItemKey): string {
  if (family === "app") return "Open the app";
  return `Open ${key === "" ? "module config" : key}`;
}
