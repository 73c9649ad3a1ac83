import { fromLevelUp, levelOrder } from "./group-form";
import type { ComponentProps } from "react";
import { SelectField } from "@/app/_components/fields/select-field";
import { useStoredText } from "@/app/_components/hooks/use-preference";
import type { HmiLevel } from "@/lib/labels/vocabulary";

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
export function LevelField(
  props: Readonly<Omit<ComponentProps<typeof SelectField<HmiLevel>>, "options" | "needsServer">>,
) {
  return <SelectField {...props} options={options} />;
}
