import type { GroupPart } from "@/app/(console)/functionalgroups/manage/group-facts";
import { CheckboxField } from "@/app/_components/fields/checkbox-field";
import { Notice } from "@/app/_components/feedback/notice";
import { Section } from "@/app/_components/ui/section";
import { grantKinds, groupGrants } from "@/lib/labels/group-flags";
import { snakeName } from "@/lib/labels/members";

export function GrantsSection({ form, change }: Readonly<GroupPart>) {
  return (
    <Section
      title="Special grants"
      description="An app gets a group if it requests something in it. These options grant the group in other ways. Groups for providers, administrators, widgets and manual grants are not given on request."
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
        <Notice className="mt-4">All apps already get this group. Granting it manually has no effect.</Notice>
      )}
    </Section>
  );
}
