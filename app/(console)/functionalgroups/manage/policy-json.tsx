import { useDeferredValue, useMemo } from "react";
import { type GroupForm, listRules } from "../group-form";
import type { GroupFacts } from "./group-facts";
import { CopyButton } from "@/app/_components/ui/copy-button";
import { buildFunctionalGroupings } from "@/lib/policy/table/functional-groupings";
import type { PolicySnapshot } from "@/lib/policy/table/snapshot";
import { groupFlags } from "@/lib/vocabulary/group-flags";
import { recordOf, snakeName } from "@/lib/vocabulary/members";

/** In characters. */
const hanging = 2;

/** The policy table builder makes it, and loads on demand. */
export function PolicyJson({ form, facts }: Readonly<{ form: GroupForm; facts: GroupFacts }>) {
  // Must not slow down typing.
  const shown = useDeferredValue(form);
  const text = useMemo(() => buildSegment(shown, facts), [shown, facts]);
  return (
    <div className="relative">
      <span className="absolute top-2 right-2">
        <CopyButton text={text} label="Copy JSON" />
      </span>
      <pre
        tabIndex={0}
        role="region"
        aria-label="Policy JSON of this group"
        className="max-h-80 overflow-auto rounded-b-card px-4 py-3 font-mono text-xs leading-5 wrap-anywhere whitespace-pre-wrap xl:max-h-[45dvh]"
      >
        <JsonText text={text} />
      </pre>
      {text === "{}" && (
        <p role="status" className="border-t border-line px-4 py-3 text-table text-muted">
          {`Left out of the policy table: the message ${form.user_consent_prompt ?? ""} that the group uses does not exist.`}
        </p>
      )}
    </div>
  );
}

export function buildSegment(form: GroupForm, facts: GroupFacts): string {
  const name = form.name.trim() === "" ? "(no name yet)" : form.name.trim();
  const group: PolicySnapshot["groups"]["staging"][number] = {
    id: facts.id,
    name,
    status: facts.environment === "staging" ? "STAGING" : "PRODUCTION",
    isDeleted: false,
    ...recordOf(groupFlags, (name) => form[snakeName(name)]),
    userConsentPrompt: form.user_consent_prompt,
    rpcs: listRules(form).map(([rpc, { levels, parameters }]) => ({ name: rpc, levels, parameters })),
  };
  const text = buildFunctionalGroupings(toSnapshot(group, facts), facts.environment);
  return joinShortLists(JSON.stringify(JSON.parse(text), null, 2));
}

function joinShortLists(text: string): string {
  return text.replace(/\[\n\s+("(?:[^"\\]|\\.)*"(?:,\n\s+"(?:[^"\\]|\\.)*")*)\n\s+\]/g, (_, inner: string) => {
    return `[${inner.replaceAll(/,\n\s+/g, ", ")}]`;
  });
}

function toSnapshot(group: PolicySnapshot["groups"]["staging"][number], facts: GroupFacts): PolicySnapshot {
  const messages = facts.prompts.map(({ category }) => ({ category, isDeleted: false }));
  const functions = Object.entries(facts.usable).map(([name, keys]) => ({
    name,
    messageType: "response",
    params: keys.map((key) => ({ name: key })),
  }));
  const permissions = facts.rpcs.flatMap(({ name, parameters }) =>
    parameters
      .filter(({ isCustom }) => !isCustom)
      .map(({ key }) => ({ name: key, type: "PARAMETER", parents: [name] })),
  );
  return {
    groups: { staging: [group], production: [group] },
    messages: { staging: messages, production: messages },
    vehicleData: { staging: [], production: [] },
    rpcSpec: { functions },
    permissions,
  } as unknown as PolicySnapshot;
}

/** Wrapped lines keep their indent; copying gives the original text. */
export function JsonText({ text }: Readonly<{ text: string }>) {
  return text.split(/(?<=\n)/).map((line, index) => {
    const indent = line.length - line.trimStart().length + hanging;
    return (
      <span key={index} className="block" style={{ paddingInlineStart: `${indent}ch`, textIndent: `-${indent}ch` }}>
        {line}
      </span>
    );
  });
}
