"use client";
import { fromLevelUp, levelOrder } from "@/app/(console)/functionalgroups/levels";
import { pick } from "@/app/_components/pick";
import { SelectField } from "@/app/_components/fields/select-field";
import { useStoredText } from "@/app/_components/hooks/use-preference";
import type { HmiLevel } from "@/lib/words/vocabulary";

/** The level down to which RPCs are allowed when they are added; remembered for this browser. */
export function useNewRpcLevel(): readonly [HmiLevel, (level: HmiLevel) => void] {
  const [text, set] = useStoredText("new-rpc-level");
  return [levelOrder.find((level) => level === text) ?? "FULL", set];
}

const options = levelOrder.map((level) => ({
  value: level,
  label: level === "FULL" ? "FULL only" : fromLevelUp(level).join(", "),
}));

/** Chooses a set of levels without a gap. */
export function LevelField({
  label,
  value,
  onChange,
  hint,
  hideLabel,
  className,
}: Readonly<{
  label: string;
  value: HmiLevel;
  onChange: (level: HmiLevel) => void;
  hint?: string;
  hideLabel?: boolean;
  className?: string;
}>) {
  return (
    <SelectField
      label={label}
      value={value}
      onChange={onChange}
      options={options}
      {...pick({ hint, hideLabel, className })}
    />
  );
}
