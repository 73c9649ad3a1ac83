"use client";
import type { NodeProblems } from "@/app/(console)/vehicledata/check-item";
import { type LimitName, type NodeForm, usableLimits } from "@/app/(console)/vehicledata/item-form";
import { TextField } from "@/app/_components/fields/text-field";

const words: Readonly<Record<LimitName, { readonly label: string; readonly unit: string }>> = {
  minLength: { label: "Min length", unit: "characters" },
  maxLength: { label: "Max length", unit: "characters" },
  minSize: { label: "Min size", unit: "elements" },
  maxSize: { label: "Max size", unit: "elements" },
  minValue: { label: "Min value", unit: "" },
  maxValue: { label: "Max value", unit: "" },
};

/** The limits that mean something for the type of a node. */
export function LimitFields({
  node,
  problems,
  set,
}: Readonly<{ node: NodeForm; problems: NodeProblems; set: ((update: Partial<NodeForm>) => void) | null }>) {
  return usableLimits(node).map((name) => (
    <TextField
      key={name}
      label={words[name].label}
      name={name}
      aside={words[name].unit || (node.type === "Float" ? "number" : "whole number")}
      inputMode={node.type === "Float" ? "decimal" : "numeric"}
      autoComplete="off"
      placeholder="no limit"
      inputClassName="tabular-nums"
      value={node[name]}
      error={problems[name]?.message}
      onChange={set && ((text) => set({ [name]: text }))}
    />
  ));
}
