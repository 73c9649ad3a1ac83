"use client";
import type { GroupPart } from "@/app/(console)/functionalgroups/manage/group-facts";
import { CheckboxField } from "@/app/_components/fields/checkbox-field";
import { Notice } from "@/app/_components/feedback/notice";
import { Section } from "@/app/_components/ui/section";
import { grantKinds, groupGrants } from "@/lib/labels/group-flags";
import { snakeName } from "@/lib/labels/members";

/** Who gets the group besides apps that ask for something in it. */
export function GrantsSection({ form, change }: Readonly<GroupPart>) {
  return (
    <Section
      title="Special grants"
      description="An app gets a group when it asks for something in it. These give it in other ways; groups for providers, administrators, widgets and by hand are not given for asking."
    >
      <fieldset className="grid gap-x-6 gap-y-3 lg:grid-cols-2">
        <legend className="sr-only">Special grants</legend>
        {grantKinds.map((kind) => {
          const { flag, label, meaning } = groupGrants[kind];
          const member = snakeName(flag);
          return (
            <CheckboxField
              key={kind}
              label={label}
              name={member}
              hint={meaning}
              checked={form[member]}
              onChange={change && ((isOn) => change((value) => ({ ...value, [member]: isOn })))}
            />
          );
        })}
      </fieldset>
      {form.is_default && form.is_proprietary_group && (
        <Notice className="mt-4">All apps get it already: granting it by hand besides has no effect.</Notice>
      )}
    </Section>
  );
}
