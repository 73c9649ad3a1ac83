import { changeSigns } from "@/app/_components/diff/change-sign";
import { Diff, DiffRow } from "@/app/_components/diff/diff";
import { describeValue } from "@/app/_components/form/describe-value";
import { cn } from "@/app/_components/ui/cn";
import { PermissionLink } from "@/app/_components/rights/permission-link";
import { Breakable } from "@/app/_components/ui/breakable";
import type { FieldChangeJson } from "@/lib/releases/answer-schema";
import { LongList } from "./long-list";
import { capital } from "@/lib/vocabulary/format-number";

/** Number of fields rendered at first. */
const first = 50;

/** Fields before and after. */
export function FieldDiff({ fields, empty }: Readonly<{ fields: readonly FieldChangeJson[]; empty: string }>) {
  if (fields.length === 0) return <p className="px-4 py-3 text-table text-muted">{empty}</p>;
  return (
    <LongList
      as="dl"
      className="divide-y divide-line text-table"
      first={first}
      rows={fields.map(({ path, before, after }) => (
        <DiffRow key={path} name={<FieldName path={path} />} title={path}>
          <Values before={before} after={after} />
        </DiffRow>
      ))}
    />
  );
}

/** The label of a field; an RPC leads to its page. */
function FieldName({ path }: Readonly<{ path: string }>) {
  const [member, rpc = ""] = path.split(".");
  const label = describePath(path);
  if (member !== "rpcs" || !label.startsWith(rpc)) return <Breakable text={label} />;
  return (
    <>
      <PermissionLink rpc={rpc} />
      <Breakable text={label.slice(rpc.length)} />
    </>
  );
}

function Values({ before, after }: Readonly<{ before?: unknown; after?: unknown }>) {
  const words = mergeWords(before, after);
  if (words !== null) {
    return (
      <ul className="flex flex-wrap gap-1">
        {words.map((word) => (
          <Word key={word.word} {...word} />
        ))}
      </ul>
    );
  }
  const describe = (value: unknown) => (value == null ? null : describeValue(value));
  return <Diff before={describe(before)} after={describe(after)} />;
}

function Word({ word, state }: Readonly<ListedWord>) {
  const { sign, className } = state === "kept" ? { sign: "", className: "border-line text-muted" } : changeSigns[state];
  return (
    <li className={cn("flex gap-1 rounded-full border px-2 text-xs leading-5", className)}>
      {state !== "kept" && (
        <>
          <span aria-hidden="true" className="font-mono">
            {sign}
          </span>
          <span className="sr-only">{`${state}: `}</span>
        </>
      )}
      <span className="wrap-anywhere">{word}</span>
    </li>
  );
}

/** Labels of changed fields, and how their values are shown. */

/** Members that only contain others: the name of the inner one suffices. */
const containers = new Set(["rpcs", "languages", "params", "permissions", "messages"]);
const wordsOf: Readonly<Record<string, string>> = {
  hmi_levels: "HMI levels",
  user_consent_prompt: "Consent prompt",
  is_deleted: "Deleted",
  tts: "Spoken text",
  line1: "Line 1",
  line2: "Line 2",
  text_body: "Body text",
  label: "Label",
};

/** "rpcs.Alert.hmi_levels" as "Alert › HMI levels". */
export function describePath(path: string): string {
  const parts = path.split(".");
  const shown = parts.filter((part, index) => index === parts.length - 1 || !containers.has(part));
  return shown.map((part, index) => (index === shown.length - 1 ? describeMember(part) : part)).join(" › ");
}

/** Identifiers stay as they are; member names become words. */
function describeMember(name: string): string {
  const known = wordsOf[name];
  if (known !== undefined) return known;
  if (!/^[a-z]+(_[a-z0-9]+)+$/.test(name) && !/^[a-z]+$/.test(name)) return name;
  const words = name.replaceAll("_", " ");
  return capital(words);
}

type Plain = string | number | boolean;
const isPlain = (value: unknown): value is Plain => ["string", "number", "boolean"].includes(typeof value);

interface ListedWord {
  readonly word: string;
  readonly state: "kept" | "added" | "removed";
}

/** Merges two lists of words into one; one may be absent. Null for everything else. */
export function mergeWords(before: unknown, after: unknown): readonly ListedWord[] | null {
  const [old, now] = [readWords(before), readWords(after)];
  if (old === null || now === null || (!Array.isArray(before) && !Array.isArray(after))) return null;
  return [
    ...now.map((word): ListedWord => ({ word, state: old.includes(word) ? "kept" : "added" })),
    ...old.filter((word) => !now.includes(word)).map((word): ListedWord => ({ word, state: "removed" })),
  ];
}

function readWords(value: unknown): readonly string[] | null {
  if (value === null || value === undefined) return [];
  return Array.isArray(value) && value.every(isPlain) ? value.map(String) : null;
}
