import { FactList } from "@/app/_components/ui/fact-list";
import { Section } from "@/app/_components/ui/section";
import type { ApplicationJson } from "@/lib/apps/applications/answer-schema";

const none = <span className="text-muted">—</span>;

/** Whom to ask about the app. */
export function ContactSection({ app }: Readonly<{ app: ApplicationJson }>) {
  return (
    <Section title="Developer contact" id="contact" flush>
      <FactList
        facts={[
          ["Vendor", app.vendor_name || none],
          ["Vendor e-mail", <Mail key="v" address={app.vendor_email} />],
          ["Technical e-mail", <Mail key="t" address={app.tech_email} />],
          ["Technical phone", app.tech_phone ?? none],
        ]}
      />
    </Section>
  );
}

function Mail({ address }: Readonly<{ address: string | null }>) {
  if (!address) return none;
  // Only what looks like an address becomes a link: the text is the directory's.
  return /^[^\s@?&]+@[^\s@?&]+$/.test(address) ? <a href={`mailto:${address}`}>{address}</a> : address;
}
