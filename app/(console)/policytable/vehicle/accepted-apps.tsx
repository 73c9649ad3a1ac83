import { useState } from "react";
import { describeProblem } from "@/app/_components/feedback/problem";
import { Button } from "@/app/_components/ui/button";
import { get } from "@/lib/platform/http/client";
import { plural } from "@/lib/labels/format-number";
import type { ChosenApp } from "../chosen-app";

/** More than any vehicle has. */
const most = 100;
const address = `/api/v1/applications?approval_status=ACCEPTED&sort=name&limit=${most}`;

/** Adds every app whose newest version is accepted. */
export function AcceptedApps({
  apps,
  onChange,
}: Readonly<{ apps: readonly ChosenApp[]; onChange: (apps: readonly ChosenApp[]) => void }>) {
  const [isBusy, setIsBusy] = useState(false);
  const [told, setTold] = useState("");

  async function add() {
    setIsBusy(true);
    try {
      // Answered by the route; its shape is checked there.
      const answer = (await get(address)) as { applications: ChosenApp[]; next_cursor?: unknown };
      const isThere = new Set(apps.map(({ uuid }) => uuid));
      const more = answer.applications.flatMap(({ uuid, name }) => (isThere.has(uuid) ? [] : [{ uuid, name }]));
      onChange([...apps, ...more]);
      const rest = answer.next_cursor === null || answer.next_cursor === undefined ? "" : ", the first by name";
      setTold(`${plural(more.length, "app")} added${rest}.`);
    } catch (error) {
      setTold(describeProblem(error));
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <>
      <Button needsServer busy={isBusy} className="max-sm:w-full" onClick={() => void add()}>
        Add all approved apps
      </Button>
      <p role="status" className="mt-1 text-xs text-muted empty:hidden">
        {told}
      </p>
    </>
  );
}
