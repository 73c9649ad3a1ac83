import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { Button } from "@/app/_components/ui/button";
import { TextAreaField } from "@/app/_components/fields/text-field";

export function PrivateKeyField({
  value,
  onChange,
}: Readonly<{
  value: string;
  /** Null: read-only. */
  onChange: ((value: string) => void) | null;
}>) {
  const [isRevealed, setIsRevealed] = useState(false);
  const isHidden = value !== "" && !isRevealed;
  return (
    <div className="space-y-1.5">
      <TextAreaField
        label="Private key"
        hint={isHidden ? "Hidden. Reveal it only when nobody else can see your screen." : "PEM, not encrypted"}
        mono
        rows={5}
        spellCheck={false}
        autoComplete="off"
        value={isHidden ? mask(value) : value}
        onChange={!isHidden && onChange}
      />
      {value !== "" && (
        <Button size="sm" aria-pressed={isRevealed} onClick={() => setIsRevealed(!isRevealed)}>
          {isRevealed ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
          {isRevealed ? "Hide private key" : "Reveal private key"}
        </Button>
      )}
    </div>
  );
}

/** As many lines as the key has, so that revealing it does not move the page. */
function mask(key: string): string {
  return key
    .trim()
    .split("\n")
    .map((line) => "•".repeat(Math.min(line.length, 48)))
    .join("\n");
}
