import { render } from "@testing-library/react";
import { ApplicationList } from "@/app/(console)/applications/(list)/application-list";
import { BulkHost } from "@/app/(console)/applications/(list)/bulk/bulk-host";
import { RoleProvider } from "@/app/_components/shell/role";
import type { BulkAppJson } from "@/lib/apps/applications/bulk/answer-schema";
import { consoleListQuery } from "@/lib/apps/applications/console/console-schema";
import type { ConsoleRow } from "@/lib/apps/applications/console/console-rows";
import type { Role } from "@/lib/vocabulary/roles";
import { goTo } from "@/test/support/navigation";
import { Around } from "@/test/support/page";

export const aConsoleRow = (partial: Partial<ConsoleRow> = {}): ConsoleRow => ({
  ...{ id: 41, uuid: "7d0c2a54", name: "Tune Harbor", vendor: "Harbor Audio", iconUrl: null, state: "PENDING" },
  ...{ version: "v2.0", versionId: 913, production: { id: 40, label: "v1.0" }, staging: { id: 40, label: "v1.0" } },
  ...{ platform: "ANDROID", category: "Media", countries: ["DE", "US"], countryCount: 2, flags: [], effect: null },
  ...{ updatedAt: "2026-02-11T16:20:05.000Z", waitingSince: "2026-02-11T16:20:05.000Z" },
  ...partial,
});

export const seen = { approval_status: "PENDING", is_blacklisted: false, denial_message: null } as const;

export const aBulkApp = (id: number, partial: Partial<BulkAppJson> = {}): BulkAppJson => ({
  ...{ id, uuid: `uuid-${id}`, name: `App ${id}`, version: "v2", state: "PENDING", findings: [], notes: [], seen },
  ...{ effect: [`Production begins to serve ${id}.`], is_grave: false, environment: "production", rights: null },
  ...partial,
});

interface Shown {
  readonly query?: Record<string, string>;
  readonly total?: number;
  readonly role?: Role;
  readonly effect?: ConsoleRow["effect"];
}

export function showList(count: number, { query = {}, total = count, role = "admin", effect = null }: Shown = {}) {
  goTo(`/applications?${new URLSearchParams(query).toString()}`);
  const rows = Array.from({ length: count }, (_, at) =>
    aConsoleRow({ id: at + 1, uuid: `uuid-${at + 1}`, name: `App ${at + 1}`, versionId: at + 1, effect }),
  );
  const now = Date.parse("2026-02-12T00:00:00Z");
  const choices = { platforms: [], categories: [] };
  render(
    <Around>
      <RoleProvider role={role}>
        <ApplicationList {...{ rows, choices, total, now }} query={consoleListQuery.parse(query)} empty={null}>
          {null}
        </ApplicationList>
      </RoleProvider>
      <BulkHost />
    </Around>,
  );
}
