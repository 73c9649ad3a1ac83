import { type ReactNode, useState } from "react";
import { Button } from "@/app/_components/ui/button";
import { Section } from "@/app/_components/ui/section";

/** What the policy table holds of a record, folded at first. The content is built when it is shown. */
export function JsonSection({ description, children }: Readonly<{ description: string; children: ReactNode }>) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Section
      title="In the policy table"
      description={description}
      flush={isOpen}
      {...(isOpen ? {} : { className: "pb-1 [&>div]:hidden" })}
      actions={
        <Button size="sm" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? "Hide JSON" : "Show JSON"}
        </Button>
      }
    >
      {isOpen && children}
    </Section>
  );
}
