import { LinkButton } from "@/app/_components/ui/link-button";
import { Notice } from "@/app/_components/feedback/notice";
import { Section } from "@/app/_components/ui/section";
import { TextField } from "@/app/_components/fields/text-field";
import type { MessageDraft } from "../message-draft";
import { findTaken, type TakenName } from "./edited-message";

/** The name of a new message: the key by which functional groups ask with it. It stays once it is saved. */
export function NameSection({
  value,
  onChange,
  takenNames,
}: Readonly<{
  value: string;
  onChange: (members: MessageDraft) => void;
  takenNames: readonly TakenName[];
}>) {
  const taken = findTaken(value, takenNames);
  return (
    <Section title="General">
      <div className="max-w-xl space-y-3">
        <TextField
          label="Category"
          name="category"
          hint="The name functional groups use for this message, such as Location. You cannot change it later."
          value={value}
          onChange={(category) => onChange({ category })}
          autoComplete="off"
          spellCheck={false}
        />
        {taken && (
          <Notice
            title={`There is already a message ${taken.name}`}
            action={
              <LinkButton size="sm" href={`/consumermessages/manage?id=${taken.id}&environment=staging`}>
                Open it
              </LinkButton>
            }
          >
            Choose another name or edit the existing message.
          </Notice>
        )}
      </div>
    </Section>
  );
}
