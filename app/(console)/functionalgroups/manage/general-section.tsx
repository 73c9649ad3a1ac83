import { Link } from "@/app/_components/ui/link";
import type { GroupPart } from "@/app/(console)/functionalgroups/manage/group-facts";
import { PromptField } from "@/app/(console)/functionalgroups/manage/prompt-field";
import { CheckboxField } from "@/app/_components/fields/checkbox-field";
import { Notice } from "@/app/_components/feedback/notice";
import { Section } from "@/app/_components/ui/section";
import { TextAreaField } from "@/app/_components/fields/text-area-field";
import { TextField } from "@/app/_components/fields/text-field";
import { groupPath } from "@/lib/content/groups/list-address";

export function GeneralSection({ form, facts, taken, change }: Readonly<GroupPart & { taken: readonly string[] }>) {
  const isNew = facts.id === 0;
  const name = form.name.trim();
  const isTaken = isNew && taken.includes(name);
  return (
    <Section title="General">
      <div className="grid grid-cols-1 gap-x-6 gap-y-4 lg:grid-cols-2">
        <div className="space-y-4">
          <TextField
            label="Name"
            name="name"
            value={form.name}
            required
            autoComplete="off"
            spellCheck={false}
            hint={
              isNew ? "The key in the policy table, such as Location-1. You cannot change it after saving." : undefined
            }
            onChange={change && isNew && ((value) => change({ name: value }))}
          />
          {isTaken && (
            <Notice
              tone="bad"
              title="A group with this name exists"
              action={<Link href={groupPath({ name }, "staging")}>Open the existing group</Link>}
            >
              Choose another name or edit the existing group.
            </Notice>
          )}
          <TextAreaField
            label="Description"
            name="description"
            rows={3}
            value={form.description}
            onChange={change && ((description) => change({ description }))}
          />
        </div>
        <div className="space-y-4">
          <PromptField form={form} facts={facts} change={change} />
          <CheckboxField
            label="Encryption required"
            name="encryption_required"
            hint="Apps may call the RPCs of this group only over an encrypted service."
            checked={form.encryption_required}
            onChange={change && ((encryption_required) => change({ encryption_required }))}
          />
        </div>
      </div>
    </Section>
  );
}
