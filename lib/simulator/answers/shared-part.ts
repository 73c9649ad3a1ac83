import { findInShared, sharedTable } from "@/lib/policy/checks/findings";
import type { Fragment } from "@/lib/policy/gzip/fragment";
import type { PolicyRequest } from "@/lib/policy/answer/policy-request";
import { checkPolicyTable, type HeadUnitFinding } from "@/lib/policy/head-unit/head-unit-check";
import { withoutPrivateKey } from "@/lib/policy/preview";
import { isObject } from "@/lib/policy/head-unit/values";
import type { CompiledPolicy } from "@/lib/policy/table/compiled-policy";

/** What is the same in all answers of a policy: long ones take a tenth of a second to be looked at. */
interface SharedPart {
  /** JSON text up to the first app entry, with the private key of the module certificate taken out. */
  readonly text: string;
  /** What head units would object to in a table without app entries. */
  readonly findings: readonly HeadUnitFinding[];
  /** Empty groups of the same names, among which entries can be checked. */
  readonly groupings: Readonly<Record<string, { readonly rpcs: null }>>;
  /** What is found among them without any entry. */
  readonly elsewhere: ReadonlySet<string>;
}

const known = new WeakMap<Fragment, SharedPart>();

/** What the answer to a request begins with, its envelope aside. */
export function openingFor(policy: CompiledPolicy, { fullAppIdSupported, isOlder }: PolicyRequest): Fragment {
  return policy.opening(fullAppIdSupported, isOlder);
}

/** The shared part of a policy's answers to requests like this one; made once. */
export function sharedPart(policy: CompiledPolicy, request: PolicyRequest): SharedPart {
  const opening = openingFor(policy, request);
  const part = known.get(opening) ?? buildPart(policy, opening.bytes.toString(), request);
  known.set(opening, part);
  return part;
}

function buildPart(policy: CompiledPolicy, opening: string, { isOlder }: PolicyRequest): SharedPart {
  const fixed = policy.closing.bytes.toString().slice(0, -"}]}".length);
  const { ofHeadUnits, groups } = findInShared(policy);
  const groupings = Object.fromEntries(groups.map((name) => [name, { rpcs: null }]));
  return {
    text: withoutPrivateKey(opening),
    findings: isOlder ? checkPolicyTable(sharedTable(policy, isOlder)) : ofHeadUnits,
    groupings,
    elsewhere: new Set(checkAmong(groupings, fixed).map(textOf)),
  };
}

/**
 * What head units would object to in an answer: in what is shared, and in its entries.
 *
 * @param entries JSON text of the entries, the fixed ones included, and what ends the table
 */
export function checkAnswer(
  policy: CompiledPolicy,
  request: PolicyRequest,
  entries: string,
): readonly HeadUnitFinding[] {
  const { findings, groupings, elsewhere } = sharedPart(policy, request);
  return [...findings, ...checkAmong(groupings, entries).filter((finding) => !elsewhere.has(textOf(finding)))];
}

/** Entries are judged by the names of the groups, not by what these hold. */
function checkAmong(groupings: SharedPart["groupings"], entries: string): readonly HeadUnitFinding[] {
  const policies: unknown = JSON.parse(`{"app_policies":{${entries}`);
  return checkPolicyTable({ functional_groupings: groupings, ...(isObject(policies) ? policies : {}) });
}

const textOf = ({ build, path, rule, message }: HeadUnitFinding): string =>
  JSON.stringify([build, path, rule, message]);
