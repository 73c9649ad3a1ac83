import { useState } from "react";
import { TextAreaField, TextField } from "@/app/_components/fields/text-field";

/** What people write about a release. */
interface ReleaseText {
  readonly name: string;
  readonly note: string;
  readonly reason: string;
}

export function useReleaseText() {
  const [text, setText] = useState<ReleaseText>({ name: "", note: "", reason: "" });
  return { text, set: (change: Partial<ReleaseText>) => setText((before) => ({ ...before, ...change })) };
}

const orNull = (text: string) => text.trim() || null;

/** Members of the body of a publication or rollback; `force` only with findings and a reason. */
export function toMembers({ name, note, reason }: ReleaseText, hasFindings: boolean) {
  return {
    name: orNull(name),
    note: orNull(note),
    ...(hasFindings && { force: true, reason: reason.trim() }),
  };
}

const longestName = 100;
const longestText = 2000;

/** Name and note of a release; with findings also the required reason (L6). */
export function ReleaseFields({
  text,
  onChange,
  hasFindings,
}: Readonly<{ text: ReleaseText; onChange: (change: Partial<ReleaseText>) => void; hasFindings: boolean }>) {
  return (
    <div className="space-y-3">
      {hasFindings && (
        <TextAreaField
          label="Reason for publishing despite the problems"
          hint="Stored in the release."
          value={text.reason}
          rows={2}
          maxLength={longestText}
          onChange={(reason) => onChange({ reason })}
        />
      )}
      <TextField
        label="Name (optional)"
        value={text.name}
        maxLength={longestName}
        onChange={(name) => onChange({ name })}
      />
      <TextAreaField
        label="Note (optional)"
        value={text.note}
        rows={2}
        maxLength={longestText}
        onChange={(note) => onChange({ note })}
      />
    </div>
  );
}
