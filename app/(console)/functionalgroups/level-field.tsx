import { fromLevelUp } from "./group-form";
import { levelOrder } from "@/lib/records/groups/rules";
import type { ComponentProps } from "react";
import { SelectField } from "@/app/_components/fields/select-field";
import { useStoredText } from "@/app/_components/hooks/use-preference";
import type { HmiLevel } from "@/lib/vocabulary/terms";

export function useNewRpcLevel(): readonly [HmiLevel, (level: HmiLevel) => void] {
  const [text, set] = useStoredText("new-rpc-level");
  return [levelOrder.find((level) => level === text) ?? "FULL", set];
}

const options = levelOrder.map((level) => ({
  value: level,
  label: level === "FULL" ? "FULL only" : fromLevelUp(level).join(", "),
}));

export function LevelField(
  props: Readonly<Omit<ComponentProps<typeof SelectField<HmiLevel>>, "options" | "needsServer">>,
) {
  return <SelectField {...props} options={options} />;
}
