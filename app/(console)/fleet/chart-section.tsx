import { Download } from "lucide-react";
import type { ReactNode } from "react";
import { LinkButton } from "@/app/_components/ui/link-button";
import { Section } from "@/app/_components/ui/section";
import { sampleText } from "@/app/_fleet/count";

export function ChartSection({
  id,
  title,
  description,
  share,
  csvHref,
  flush = false,
  className,
  children,
}: Readonly<{
  id: string;
  title: string;
  description?: ReactNode;
  /** Null: the figures come from every request. */
  share: number | null;
  csvHref: string;
  flush?: boolean;
  className?: string;
  children: ReactNode;
}>) {
  const sample = sampleText(share);
  return (
    <Section
      id={id}
      title={title}
      description={
        <>
          {description}
          {sample !== null && ` ${sample}`}
        </>
      }
      actions={
        <LinkButton href={csvHref} size="sm" download aria-label={`${title} as CSV`}>
          <Download aria-hidden="true" />
          CSV
        </LinkButton>
      }
      flush={flush}
      keepsActions
      {...(className !== undefined && { className })}
    >
      {children}
    </Section>
  );
}
