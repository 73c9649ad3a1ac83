import { useEffect, useState } from "react";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import type { CertificateDescription } from "@/lib/certificates/describe";
import { renewalMs } from "@/lib/certificates/renewal-rules";

const dayMs = 86_400_000;

export function CertificateFacts({ stored }: Readonly<{ stored: CertificateDescription }>) {
  const facts = [
    ["Subject", stored.subject],
    ["Issuer", stored.issuer],
    [
      "Serial number",
      <code key="s" className="font-mono text-xs break-all">
        {stored.serialNumber}
      </code>,
    ],
    ["Validity", <Validity key="v" stored={stored} />],
  ] as const;
  return (
    <dl className="space-y-1.5 text-table">
      {facts.map(([name, value]) => (
        <div key={name} className="grid gap-x-4 sm:grid-cols-[8rem_minmax(0,1fr)]">
          <dt className="text-muted">{name}</dt>
          <dd className="min-w-0">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Validity({ stored: { validFrom, validTo } }: Readonly<{ stored: CertificateDescription }>) {
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => {
    // The server's and the reader's clocks differ: rendered in the browser only.
    const look = () => setNow(Date.now());
    look();
  }, []);
  const [from, to] = [Date.parse(validFrom), Date.parse(validTo)];
  const days = now === null ? null : Math.floor((to - now) / dayMs);
  const used = now === null ? 0 : Math.min(1, Math.max(0, (now - from) / Math.max(1, to - from)));
  return (
    <div className="max-w-md space-y-1">
      <p>
        {validFrom.slice(0, 10)} to {validTo.slice(0, 10)}
        {days !== null && (days < 0 ? ", expired" : `, ${days} ${days === 1 ? "day" : "days"} left`)}
      </p>
      <div aria-hidden="true" className="h-1 overflow-hidden rounded-full bg-active">
        {now !== null && <div className="h-full bg-accent" style={{ width: `${used * 100}%` }} />}
      </div>
      <p className="text-xs text-muted">
        Renews automatically when a third of this is left, but one to seven days before it expires:{" "}
        <TimeAgo at={new Date(to - renewalMs(new Date(to), new Date(from))).toISOString()} />
      </p>
    </div>
  );
}
