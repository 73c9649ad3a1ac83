"use client";
import { Link } from "@/app/_components/ui/link";
import { Notice } from "@/app/_components/feedback/notice";
import { useCounters } from "@/app/_components/shell/navigation/counters";
import { environments } from "@/lib/vocabulary/terms";

export function RefusalNotice() {
  const refused = useCounters()?.refused_tables;
  return environments.map((environment) => {
    const refusal = refused?.[environment];
    if (!refusal) return null;
    const { count, message } = refusal;
    return (
      <Notice
        key={environment}
        tone={environment === "production" ? "bad" : "warn"}
        className="mb-3"
        action={
          <Link href={`/policytable?environment=${environment}#findings`}>
            {count === 1 ? "View problem" : `View all ${count} problems`}
          </Link>
        }
      >
        <p className="truncate" title={message}>
          <span className="font-semibold">{`Head units would refuse the ${environment} table: `}</span>
          {message}
        </p>
      </Notice>
    );
  });
}
