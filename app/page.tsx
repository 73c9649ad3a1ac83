import { headers } from "next/headers";
import { FactList } from "@/app/_components/fact-list";
import { Notice } from "@/app/_components/notice";
import { SignOutButton } from "@/app/_components/sign-out-button";
import { hasSession } from "@/lib/auth/admin";
import { requireAdminPage } from "@/lib/auth/session";
import { policyStatus, type RuntimeStatus } from "@/lib/policy/status";
import { loadSettings } from "@/lib/settings";
import { packageVersion } from "@/lib/version";

const stateTexts: Readonly<Record<RuntimeStatus["state"], string>> = {
  starting: "Starting: no policy compiled yet",
  ready: "Ready",
  degraded: "Degraded: vehicles get the last policy, the database cannot be read",
};

/** No pages: plain links, which leave the client-side router alone. */
const machineAnswers = [
  ["Health", "/health"],
  ["Version", "/version"],
  ["Configuration", "/api/v1/about"],
] as const;

/** What this server is and how it is doing. */
export default async function StartPage() {
  await requireAdminPage();
  const { authType, usesEmbeddedDatabase, directory } = loadSettings();
  return (
    <main className="mx-auto max-w-3xl space-y-6 p-6">
      <header className="flex flex-wrap items-start justify-between gap-4">
        <div>
          <h1 className="text-3xl font-semibold">Open Policy Server</h1>
          <p className="text-muted">Answers SmartDeviceLink head units with policy tables. Version {packageVersion}</p>
        </div>
        {(await hasSession(await headers())) && <SignOutButton />}
      </header>
      {usesEmbeddedDatabase && (
        <Notice>
          Data live in the embedded database, which is for trying out and not for production. Set MONGODB_URI to a
          replica set.
        </Notice>
      )}
      {directory === "example" && (
        <Notice>Apps are made up by the example directory. Set the directory keys to get real ones.</Notice>
      )}
      {authType !== "basic" && <Notice>No password protects this console. Set AUTH_TYPE=basic and a password.</Notice>}
      <Figures status={policyStatus()} />
      <nav aria-label="Machine-readable answers">
        <ul className="flex flex-wrap gap-x-6 gap-y-2">
          {machineAnswers.map(([name, path]) => (
            <li key={path}>
              <a href={path}>{name}</a>
            </li>
          ))}
        </ul>
      </nav>
    </main>
  );
}

function Figures({ status }: Readonly<{ status: RuntimeStatus | null }>) {
  if (status === null) return <p>The policy runtime does not run in this process.</p>;
  return (
    <FactList
      facts={[
        ["State", stateTexts[status.state]],
        ["Database", status.database === "embedded" ? "Embedded (not for production)" : "MongoDB"],
        ["Policy revision", status.revision ?? "none yet"],
        ["Compiled", <Moment key="compiled" at={status.builtAt} />],
        ["Apps", status.apps],
        ["Functional groups", inBoth(status.groups)],
        ["Consumer messages", inBoth(status.messages)],
        ...(status.lastError === null ? [] : [["Last problem", status.lastError] as const]),
      ]}
    />
  );
}

function Moment({ at }: Readonly<{ at: number | null }>) {
  if (at === null) return "not yet";
  const iso = new Date(at).toISOString();
  return <time dateTime={iso}>{iso.slice(0, 19).replace("T", " ")} UTC</time>;
}

function inBoth({ staging, production }: RuntimeStatus["groups"]): string {
  return `${staging} in staging, ${production} in production`;
}
