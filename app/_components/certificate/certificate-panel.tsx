import { Link } from "@/app/_components/ui/link";
import type { ReactNode } from "react";
import { Notice } from "@/app/_components/feedback/notice";
import { Section } from "@/app/_components/ui/section";
import type { CertificateState } from "@/lib/certificates/generation";
import type { CertificateDescription } from "@/lib/certificates/describe";

export function CertificatePanel({
  state,
  children,
}: Readonly<{
  state: CertificateState;
  children: (stored: CertificateDescription | null) => ReactNode;
}>) {
  return (
    <Section id="certificate" title="Certificate">
      {state.kind === "off" && (
        <p className="text-table text-muted">
          Certificate generation is off. These settings are missing or cannot be read:{" "}
          {state.missing.map((name, index) => (
            <span key={name}>
              {index > 0 && ", "}
              <code className="font-mono text-xs text-text">{name}</code>
            </span>
          ))}
          . <Link href="/about">View configuration</Link>
        </p>
      )}
      {state.kind === "unusable" && (
        <Notice>
          Certificates cannot be created: the passphrase does not open the authority’s key and certificate, or they do
          not belong together.
        </Notice>
      )}
      {state.kind === "ready" && children(state.stored)}
    </Section>
  );
}
