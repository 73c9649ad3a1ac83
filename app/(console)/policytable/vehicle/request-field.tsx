import { FileUp } from "lucide-react";
import { useRef, useState } from "react";
import { TextAreaField } from "@/app/_components/fields/text-field";
import { Button } from "@/app/_components/ui/button";

/** The server's limit. */
const maxBytes = 1_000_000;

export function RequestField({
  value,
  problem,
  onChange,
}: Readonly<{ value: string; problem: string | null; onChange: (text: string) => void }>) {
  const input = useRef<HTMLInputElement>(null);
  const [refusal, setRefusal] = useState<string | null>(null);

  async function read(file: File | undefined) {
    if (file === undefined) return;
    const isTooLong = file.size > maxBytes;
    setRefusal(isTooLong ? `${file.name} is too large for a vehicle request.` : null);
    if (!isTooLong) onChange(await file.text());
  }

  return (
    <div className="space-y-2">
      <TextAreaField
        label="Shortened policy table"
        hint="As a head unit sends it. Missing parts count as empty."
        error={refusal ?? problem}
        placeholder={'{"policy_table": {"app_policies": {"…": {}}, …}}'}
        mono
        rows={8}
        spellCheck={false}
        value={value}
        onChange={(text) => {
          setRefusal(null);
          onChange(text);
        }}
      />
      <input
        ref={input}
        type="file"
        accept=".json,application/json,text/plain"
        hidden
        onChange={(event) => {
          void read(event.target.files?.[0]);
          // Lets the reader choose the same file again.
          event.target.value = "";
        }}
      />
      <Button size="sm" onClick={() => input.current?.click()}>
        <FileUp aria-hidden="true" />
        Choose file
      </Button>
    </div>
  );
}
