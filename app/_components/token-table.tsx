"use client";
import { useAction } from "@/app/_components/hooks/use-action";
import { PlainTable } from "@/app/_components/list/table/plain-table";
import { ConfirmDialog } from "@/app/_components/overlay/confirm-dialog";
import { Button } from "@/app/_components/ui/button";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import type { TokenJson } from "@/lib/platform/auth/schema";

export function TokenTable({ tokens }: Readonly<{ tokens: readonly TokenJson[] }>) {
  return (
    <PlainTable titles={["Name", "Role", "Begins with", "Made", "Ends", "Last used"]} hasActs>
      {tokens.map((token) => (
        <TokenRow key={token.id} token={token} />
      ))}
    </PlainTable>
  );
}

function TokenRow({ token }: Readonly<{ token: TokenJson }>) {
  const revoke = useAction(`/api/v1/tokens/${token.id}`, { method: "delete" });
  return (
    <tr>
      <th scope="row" className="px-4 py-2 font-medium">
        {token.name}
      </th>
      <td className="px-4 py-2">{token.role}</td>
      <td className="px-4 py-2 font-mono">ops_{token.prefix}</td>
      <td className="px-4 py-2">
        <TimeAgo at={token.created_ts} />
        {token.created_by !== null && ` by ${token.created_by}`}
      </td>
      <td className="px-4 py-2">
        {token.expires_ts === null ? "Never" : <TimeAgo at={token.expires_ts} />}
        {token.is_expired && " (over)"}
      </td>
      <td className="px-4 py-2">{token.last_used_ts === null ? "Never" : <TimeAgo at={token.last_used_ts} />}</td>
      <td className="px-4 py-2 text-right">
        <ConfirmDialog
          trigger={
            <Button size="sm" needsServer needs="administer" aria-label={`Revoke ${token.name}`}>
              Revoke
            </Button>
          }
          title={`Revoke token ${token.name}?`}
          confirmLabel="Revoke"
          onConfirm={() => revoke.run()}
        >
          Every instance refuses this token within two seconds. The program then needs a new one.
        </ConfirmDialog>
      </td>
    </tr>
  );
}
