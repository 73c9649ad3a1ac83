import { CalendarClock } from "lucide-react";
import { TextField } from "@/app/_components/fields/text-field";
import { Button } from "@/app/_components/ui/button";
import { inHours, toField } from "@/app/_releases/local-time";

/** When a release is published: at once, or at a time of the reader's own zone (L11). */
export function PublishTime({
  at,
  onChange,
}: Readonly<{
  /** As the browser's field gives it, without zone; null: at once. */
  at: string | null;
  onChange: (at: string | null) => void;
}>) {
  if (at === null) {
    return (
      <Button
        size="sm"
        variant="ghost"
        className="-ml-2"
        onClick={() => {
          onChange(toField(inHours(1)));
        }}
      >
        <CalendarClock aria-hidden="true" />
        Schedule instead
      </Button>
    );
  }
  return (
    <div className="flex items-end gap-2">
      <TextField
        label="Publish at"
        hint="In your time zone, up to 90 days in advance. The checks run again at that time."
        type="datetime-local"
        value={at}
        className="grow"
        onChange={(text) => {
          if (text !== "") onChange(text);
        }}
      />
      <Button
        className="mb-5.5"
        onClick={() => {
          onChange(null);
        }}
      >
        Now
      </Button>
    </div>
  );
}
