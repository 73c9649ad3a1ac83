"use client";
import dynamic from "next/dynamic";
import { useDeferredValue } from "react";
import type { GroupForm } from "@/app/(console)/functionalgroups/group-form";
import type { GroupFacts } from "@/app/(console)/functionalgroups/manage/group-facts";
import { Section } from "@/app/_components/ui/section";
import { Skeleton } from "@/app/_components/ui/skeleton";

const PolicyJson = dynamic(
  () => import("@/app/(console)/functionalgroups/manage/policy-json").then((module) => module.PolicyJson),
  { ssr: false, loading: () => <Skeleton className="m-4 h-40" /> },
);

/** What the group becomes in policy tables, as it is typed. */
export function PolicyPane({ form, facts }: Readonly<{ form: GroupForm; facts: GroupFacts }>) {
  // Typing must not wait for it.
  const shown = useDeferredValue(form);
  const { environment, id } = facts;
  return (
    <Section
      title="In the policy table"
      description={
        environment === "production"
          ? "What vehicles get now, in functional_groupings."
          : `What the staging table gets in functional_groupings ${id === 0 ? "once this is saved" : "as the form stands"}.`
      }
      flush
    >
      <PolicyJson form={shown} facts={facts} />
    </Section>
  );
}
