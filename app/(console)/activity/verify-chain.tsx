"use client";
import { useState } from "react";
import useSWR from "swr";
import { Notice } from "@/app/_components/feedback/notice";
import { Problem } from "@/app/_components/feedback/problem";
import { Button } from "@/app/_components/ui/button";
import type { AuditVerdict } from "@/lib/platform/audit/verify";
import { formatNumber, plural } from "@/lib/vocabulary/format-number";

const onlyWhenAsked = { revalidateIfStale: false, revalidateOnFocus: false, revalidateOnReconnect: false };

export function VerifyChain() {
  const [isAsked, setIsAsked] = useState(false);
  const { data, error, isValidating, mutate } = useSWR<AuditVerdict, Error>(
    isAsked ? "/api/v1/audit/verify" : null,
    onlyWhenAsked,
  );
  return (
    <div className="mb-3 space-y-3">
      <Button needsServer busy={isValidating} onClick={() => (isAsked ? void mutate() : setIsAsked(true))}>
        Verify all events
      </Button>
      <div role="status">{data && !isValidating && <Verdict verdict={data} />}</div>
      {error && !isValidating && <Problem error={error} />}
    </div>
  );
}

function Verdict({
  verdict: { is_whole: isWhole, event_count: count, broken_at: brokenAt },
}: Readonly<{ verdict: AuditVerdict }>) {
  if (isWhole) {
    return (
      <Notice tone="good" title={`${plural(count, "event")} verified: none changed, none missing`}>
        Each event is signed with a key that is not in the database, and includes the signature of the event before it.
      </Notice>
    );
  }
  return (
    <Notice tone="bad" title={`The chain of ${formatNumber(count)} events is broken at event ${brokenAt}`}>
      That event or one before it was changed or is missing. Compare with an earlier export or a backup.
    </Notice>
  );
}
