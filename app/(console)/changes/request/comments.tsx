"use client";
import { useState } from "react";
import { TextAreaField } from "@/app/_components/fields/text-field";
import { useAction } from "@/app/_components/hooks/use-action";
import { Button } from "@/app/_components/ui/button";
import { Section } from "@/app/_components/ui/section";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import { Author } from "@/app/_releases/labels";
import type { ApprovalJson } from "@/lib/content/releases/answer-schema";

/** Comments on a request (`people.md` P9a). */
export function Comments({ approval: { id, comments } }: Readonly<{ approval: ApprovalJson }>) {
  const [text, setText] = useState("");
  const comment = useAction(`/api/v1/releases/approvals/${id}/comments`);
  async function send() {
    if (!(await comment.tryRun({ text: text.trim() }))) return;
    // What was typed since is the beginning of the next comment.
    setText((now) => (now.startsWith(text) ? now.slice(text.length).trimStart() : now));
  }
  return (
    <Section title="Comments" flush>
      {comments.length > 0 && (
        <ul className="divide-y divide-line text-table">
          {comments.map(({ by, text: said, at }, index) => (
            <li key={index} className="space-y-0.5 px-4 py-2.5">
              <p className="text-xs text-muted">
                <Author author={by} /> <TimeAgo at={at} />
              </p>
              <p className="wrap-anywhere whitespace-pre-line">{said}</p>
            </li>
          ))}
        </ul>
      )}
      <div className="space-y-2 border-t border-line px-4 py-3 first:border-t-0">
        <TextAreaField label="Comment" value={text} rows={2} maxLength={2000} onChange={setText} />
        <Button
          size="sm"
          needsServer
          needs="edit"
          busy={comment.isRunning}
          disabled={text.trim() === ""}
          onClick={() => void send()}
        >
          Add comment
        </Button>
      </div>
    </Section>
  );
}
