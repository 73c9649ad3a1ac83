import { CircleAlert } from "lucide-react";
import { CopyButton } from "@/app/_components/ui/copy-button";
import { ApiError } from "@/lib/platform/http/client";

/** Screen readers announce it at once. */
export function Problem({ error, children }: Readonly<{ error: unknown; children?: React.ReactNode }>) {
  const requestId = error instanceof ApiError ? error.requestId : null;
  return (
    <ProblemBox sentence={describeProblem(error)}>
      {children}
      {requestId !== null && <RequestId id={requestId} />}
    </ProblemBox>
  );
}

export function ProblemBox({ sentence, children }: Readonly<{ sentence: string; children?: React.ReactNode }>) {
  return (
    <div role="alert" className="flex gap-2.5 rounded-card border border-bad-line bg-bad-soft px-3 py-2.5 text-table">
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-bad" />
      <div className="min-w-0 space-y-1">
        <p className="font-medium text-bad">{sentence}</p>
        {children}
      </div>
    </div>
  );
}

export function RequestId({ id }: Readonly<{ id: string }>) {
  return <Reference id={id} word="Request" label="Copy request id" />;
}

export function Reference({
  id,
  word = "Reference:",
  label = "Copy reference",
}: Readonly<{ id: string; word?: string; label?: string }>) {
  return (
    <p className="flex flex-wrap items-center gap-x-1 text-xs text-muted">
      {word} <code className="font-mono">{id}</code>
      <CopyButton text={id} label={label} />
    </p>
  );
}

export function describeProblem(error: unknown): string {
  if (!(error instanceof ApiError)) return "Something went wrong. Try again.";
  const sentence = readReason(error.data) ?? error.message;
  if (error.status === 503 && sentence === "Service unavailable") {
    return "The server cannot reach its database right now. Try again in a moment.";
  }
  return sentence.replace(/^(\w+)(?= (?:must|is|has) )/, (member) => memberWords.get(member) ?? member);
}

/** The same request may succeed later. */
export function isOutage(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 503);
}

/** Members at the start of the API's sentences, as dialogs and messages call them. */
const memberWords: ReadonlyMap<string, string> = new Map([
  ["at", "The time"],
  ["denial_message", "The reason"],
  ["expires_in_days", "The number of days"],
  ["from", "The start"],
  ["name", "The name"],
  ["note", "The note"],
  ["reason", "The reason"],
  ["text", "The text"],
  ["to", "The end"],
]);

/** The message of a 500 never varies (`api.md` 0.5); some routes add the reason. */
function readReason(data: unknown): string | null {
  if (typeof data !== "object" || data === null || !("reason" in data)) return null;
  return typeof data.reason === "string" ? data.reason : null;
}
