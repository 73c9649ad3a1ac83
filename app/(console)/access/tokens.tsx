"use client";
import { useState, type SubmitEvent } from "react";
import { Notice } from "@/app/_components/feedback/notice";
import { describeProblem } from "@/app/_components/feedback/problem";
import { SelectField } from "@/app/_components/fields/select-field";
import { TextField } from "@/app/_components/fields/text-field";
import { useAction } from "@/app/_components/hooks/use-action";
import { Button } from "@/app/_components/ui/button";
import { CopyButton } from "@/app/_components/ui/copy-button";
import { type Role, roles } from "@/lib/vocabulary/roles";

const ends = [
  { value: "30", label: "in 30 days" },
  { value: "90", label: "in 90 days" },
  { value: "365", label: "in a year" },
  { value: "", label: "never" },
] as const;
type End = (typeof ends)[number]["value"];

export function MakeToken() {
  const [name, setName] = useState("");
  const [role, setRole] = useState<Role>("viewer");
  const [end, setEnd] = useState<End>("90");
  const [made, setMade] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const make = useAction("/api/v1/tokens");

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setProblem(null);
    setMade(null);
    try {
      setMade(readToken(await make.run({ name, role, expires_in_days: end === "" ? null : Number(end) })));
      setName((now) => (now === name ? "" : now));
    } catch (error) {
      setProblem(describeProblem(error));
    }
  }
  return (
    <form className="space-y-4" onSubmit={(event) => void submit(event)}>
      <div className="grid gap-4 md:grid-cols-3">
        <TextField label="Name" hint="Shown in the activity list." value={name} onChange={setName} required />
        <SelectField
          label="Role"
          value={role}
          onChange={setRole}
          options={roles.map((value) => ({ value, label: value }))}
        />
        <SelectField label="Ends" value={end} onChange={setEnd} options={ends} />
      </div>
      <p role="alert" className="font-medium text-bad empty:hidden">
        {problem}
      </p>
      <div role="status">
        {made !== null && (
          <Notice
            tone="good"
            title="Your token. It is shown only once."
            action={<CopyButton text={made} label="Copy token" />}
          >
            <code className="font-mono break-all">{made}</code>
          </Notice>
        )}
      </div>
      <Button type="submit" variant="primary" needsServer needs="administer" busy={make.isRunning}>
        Create token
      </Button>
    </form>
  );
}

function readToken(answer: unknown): string | null {
  const isMade = typeof answer === "object" && answer !== null && "token" in answer;
  return isMade && typeof answer.token === "string" ? answer.token : null;
}
