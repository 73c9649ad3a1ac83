import { Link } from "@/app/_components/ui/link";
import type { GroupFacts, GroupPart } from "./group-facts";
import { CheckboxField } from "@/app/_components/fields/checkbox";
import { Notice } from "@/app/_components/feedback/notice";
import { Section } from "@/app/_components/ui/section";
import { TextAreaField, TextField } from "@/app/_components/fields/text-field";
import { groupPath } from "@/lib/records/groups/list-address";
import { promptNotes } from "../prompt-notes";
import { ComboboxField } from "@/app/_components/fields/combobox-field";
import { Term } from "@/app/_components/overlay/term";
import { grantKinds, groupGrants } from "@/lib/vocabulary/group-flags";
import { snakeName } from "@/lib/vocabulary/members";

export function GeneralSection({
  form,
  facts,
  taken,
  isSaving,
  change,
}: Readonly<GroupPart & { taken: readonly string[]; isSaving: boolean }>) {
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
            // Once it is sent, the name is fixed.
            onChange={change && isNew && !isSaving && ((value) => change({ name: value }))}
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
            hint="Apps that require RPC encryption must encrypt the RPCs of this group. The setting of an app overrides the group."
            checked={form.encryption_required}
            onChange={change && ((encryption_required) => change({ encryption_required }))}
          />
        </div>
      </div>
    </Section>
  );
}

function PromptField({ form, facts, change }: Readonly<GroupPart>) {
  const category = form.user_consent_prompt;
  const choice = facts.prompts.find((one) => one.category === category);
  const options = facts.prompts.map((one) => {
    const note = promptNotes[one.state];
    return {
      value: one.category,
      label: note ? `${one.category} (${note.word.toLowerCase()})` : one.category,
      ...(one.text === null ? {} : { hint: one.text }),
    };
  });
  // Also lists a deleted prompt: otherwise a save would silently remove it from the group.
  const shown =
    category !== null && choice === undefined ? [{ value: category, label: category }, ...options] : options;
  return (
    <div className="space-y-2">
      <ComboboxField
        label={
          <>
            Consent prompt:{" "}
            <Term word="what the driver is asked">
              A consumer message. Apps get the RPCs of this group once the driver agrees. Without a prompt, they get
              them at once.
            </Term>
          </>
        }
        name="user_consent_prompt"
        value={category}
        options={shown}
        placeholder="No prompt (the driver is not asked)"
        emptyText="No message with this name"
        onChange={change && ((next) => change({ user_consent_prompt: next }))}
      />
      {choice?.text && (
        <blockquote className="rounded-card border-l-2 border-edge bg-hover px-3 py-2 text-table text-muted">
          “{choice.text}”
        </blockquote>
      )}
      {category !== null && <PromptNotice category={category} state={choice?.state ?? "missing"} />}
    </div>
  );
}

function PromptNotice({
  category,
  state,
}: Readonly<{ category: string; state: GroupFacts["prompts"][number]["state"] }>) {
  const href = `/consumermessages?environment=staging&q=${encodeURIComponent(category)}`;
  if (state === "production") return null;
  if (state === "modified") {
    return (
      <p className="text-xs text-muted">
        Staging has newer wording. Drivers read the older one until <Link href={href}>the message</Link> is published.
      </p>
    );
  }
  return state === "staging" ? (
    <Notice title="Blocks publishing" action={<Link href={href}>Open the message</Link>}>
      The message is in staging only. Publish it before this group or together with it.
    </Notice>
  ) : (
    <Notice tone="bad" title="This message no longer exists" action={<Link href={href}>Messages</Link>}>
      Vehicles do not receive this group until you choose another prompt or none.
    </Notice>
  );
}

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
