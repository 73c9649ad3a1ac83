import { SelectField } from "@/app/_components/fields/select-field";
import { SwitchField } from "@/app/_components/fields/switch-field";
import { TextField } from "@/app/_components/fields/text-field";
import { usePreference, useStoredText } from "@/app/_components/hooks/use-preference";
import { whyUnfitText } from "@/lib/vocabulary/whole-text";
import { longestDisplayName } from "@/lib/platform/http/headers/display-name-header";

export function Preferences({ isNameVerified }: Readonly<{ isNameVerified: boolean }>) {
  const [timeZone, setTimeZone] = usePreference("timeZone");
  const [pageSize, setPageSize] = usePreference("pageSize");
  const [shortcuts, setShortcuts] = usePreference("shortcuts");
  return (
    <>
      {!isNameVerified && <OwnName />}
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label="Times"
          value={timeZone}
          onChange={setTimeZone}
          options={[
            { value: "local", label: "Local time" },
            { value: "utc", label: "UTC" },
          ]}
        />
        <SelectField
          label="Rows per page"
          value={pageSize}
          onChange={setPageSize}
          options={(["25", "50", "100"] as const).map((size) => ({ value: size, label: size }))}
        />
      </div>
      <SwitchField
        className="mt-4"
        label="Single-key shortcuts"
        hint="Such as / for search. Turn them off if they interfere with assistive technology."
        checked={shortcuts === "on"}
        onChange={(is) => setShortcuts(is ? "on" : "off")}
      />
    </>
  );
}

function OwnName() {
  const [name, setName] = useStoredText("displayName");
  const why = whyUnfitText(name ?? "");
  return (
    <TextField
      className="mb-4 max-w-sm"
      label="Display name"
      hint="Recorded with your changes. Nobody checks it, and it does not sign you in."
      autoComplete="name"
      maxLength={longestDisplayName}
      value={name ?? ""}
      onChange={(text) => setName(text === "" ? null : text)}
      error={why && `The name ${why}, so it is not recorded. Remove it.`}
    />
  );
}
