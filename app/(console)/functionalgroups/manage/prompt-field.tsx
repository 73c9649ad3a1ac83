import { Link } from "@/app/_components/ui/link";
import { promptNotes } from "@/app/(console)/functionalgroups/prompt-notes";
import type { GroupFacts, GroupPart } from "@/app/(console)/functionalgroups/manage/group-facts";
import { ComboboxField } from "@/app/_components/fields/combobox-field";
import { Notice } from "@/app/_components/feedback/notice";
import { Term } from "@/app/_components/overlay/term";

/** What the driver is asked before apps may use the group. */
export function PromptField({ form, facts, change }: Readonly<GroupPart>) {
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
  // A prompt that is gone is shown all the same: leaving it out would take it from the group without a word.
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
