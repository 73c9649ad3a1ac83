"use client";
import { useAction } from "@/app/_components/hooks/use-action";
import { ConfirmDialog } from "@/app/_components/overlay/confirm-dialog";
import { Button } from "@/app/_components/ui/button";
import { PlainTable } from "@/app/_components/list/table/plain-table";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import type { SessionJson } from "@/lib/platform/auth/schema";

const roomyOnly: Readonly<Record<string, string>> = { Role: "max-sm:hidden", Ends: "max-sm:hidden" };

export function SessionTable({ sessions, isOwn }: Readonly<{ sessions: readonly SessionJson[]; isOwn: boolean }>) {
  if (sessions.length === 0) return <p className="px-4 py-3 text-muted">Nobody is signed in.</p>;
  return (
    <PlainTable titles={[...(isOwn ? [] : ["Person", "Role"]), "Began", "Ends"]} looks={isOwn ? {} : roomyOnly} hasActs>
      {sessions.map((session) => (
        <SessionRow key={session.id} session={session} isOwn={isOwn} />
      ))}
    </PlainTable>
  );
}

function SessionRow({ session, isOwn }: Readonly<{ session: SessionJson; isOwn: boolean }>) {
  const end = useAction(`/api/v1/sessions/${session.id}`, { method: "delete" });
  const { name, role, role_problem: problem, begun_ts: begun, ends_ts: ends, is_current: isCurrent } = session;
  return (
    <tr>
      {!isOwn && (
        <>
          <th scope="row" className="px-4 py-2 font-medium">
            {name}
          </th>
          <td className="px-4 py-2 max-sm:hidden">
            {role ?? "none"}
            {problem !== null && <span className="block text-xs text-muted">{problem}</span>}
          </td>
        </>
      )}
      <td className="px-4 py-2 whitespace-nowrap">
        <TimeAgo at={begun} />
        {isCurrent && " (this one)"}
      </td>
      <td className={`px-4 py-2 whitespace-nowrap ${isOwn ? "" : "max-sm:hidden"}`}>
        <TimeAgo at={ends} />
      </td>
      <td className="px-4 py-2 text-right">
        {!isCurrent && (
          <ConfirmDialog
            trigger={
              <Button size="sm" needsServer aria-label={isOwn ? "End this session" : `End the session of ${name}`}>
                End
              </Button>
            }
            title={isOwn ? "End this session?" : `End the session of ${name}?`}
            confirmLabel="End"
            onConfirm={() => end.run()}
          >
            The browser is signed out within two seconds. {isOwn ? "You" : name} can sign in again.
          </ConfirmDialog>
        )}
      </td>
    </tr>
  );
}
