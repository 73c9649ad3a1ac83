import type { Metadata } from "next";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { Notice } from "@/app/_components/feedback/notice";
import { Logo } from "@/app/_components/shell/logo";
import { explainNoProxyRole } from "@/lib/platform/auth/callers/proxy-user";
import { findPageSessionId, findReader } from "@/lib/platform/auth/callers/require-page";
import { signIns } from "@/lib/platform/auth/people/sign-ins";
import { signInProblems, type SignInProblem } from "@/lib/platform/auth/schema";
import { buildSafePath } from "@/lib/platform/auth/safe-path";
import { findNameProblem, readVerifiedName } from "@/lib/platform/http/read/read-verified-name";
import { loadSettings } from "@/lib/platform/settings";
import { mayDo, type RoleMap, roles } from "@/lib/vocabulary/roles";
import { LoginForm } from "@/app/(auth)/login/login-form";
import { buttonClass } from "@/app/_components/ui/button-class";

const sentences: Readonly<Record<SignInProblem, string>> = {
  "provider-down":
    "The identity provider cannot be reached. People who are already signed in can continue to work. Try again later.",
  storage: "The database cannot be reached, so new sign-ins are not possible. Try again soon.",
  cancelled: "You canceled the sign-in at the identity provider.",
  stale: "This sign-in started in another browser or too long ago. Sign in again.",
  refused: "The identity provider’s answer is not valid. Sign in again; the server log has the details.",
  insecure: "You can sign in over HTTPS only. Open this page with its https:// address.",
};

/** With `no-referrer` browsers omit a form's origin, and the server would refuse the form as cross-site. */
export const metadata: Metadata = { title: "Sign in", referrer: "same-origin" };

/** `next` and next-auth's `callbackUrl` are aliases of `redirect`; `failed` is the status of a refused form. */
export default async function LoginPage({ searchParams }: PageProps<"/login">) {
  const { redirect: path, next, callbackUrl, failed, problem } = await searchParams;
  const target = buildSafePath(path ?? next ?? callbackUrl);
  const requestHeaders = await headers();
  const reader = await findReader();
  if (reader !== null && mayDo(reader.role, "read")) redirect(target);
  const { authType, basicAuthPassword, oidcRoles } = loadSettings();
  // The proxy outweighs a session: signing in here would change nothing.
  const isSignedInByProxy = reader?.proof === "proxy";
  const nameProblem = findNameProblem(requestHeaders);
  const isNameVerified = readVerifiedName(requestHeaders) !== null;
  const passwordForm = <LoginForm target={target} failed={readStatus(failed)} isNameVerified={isNameVerified} />;
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-sm flex-col justify-center gap-5 p-4">
      <header className="flex flex-col items-center gap-3 text-center">
        <Logo />
        <div>
          <h1 className="text-xl leading-7 font-semibold tracking-tight">
            {reader === null ? "Sign in to the policy server" : "No access to the policy server"}
          </h1>
          <p className="text-muted">
            on <strong className="font-medium text-text">{requestHeaders.get("host")}</strong>
          </p>
        </div>
      </header>
      {reader !== null && (
        <WithoutRole
          name={reader.name}
          map={oidcRoles}
          isSignedInByProxy={isSignedInByProxy}
          reason={isSignedInByProxy ? explainNoProxyRole(requestHeaders) : await findReason()}
        />
      )}
      {nameProblem !== null && (
        <Notice tone="bad">The proxy that signs you in sends a name that cannot be used: {nameProblem}.</Notice>
      )}
      {authType === "oidc" && !isSignedInByProxy && (
        <div className="rounded-xl border border-line bg-surface p-6 shadow-card">
          <ProviderSignIn target={target} problem={signInProblems.find((one) => one === problem) ?? null} />
        </div>
      )}
      {authType === "oidc" && !isSignedInByProxy && basicAuthPassword !== null && (
        <details className="text-table">
          <summary className="cursor-pointer text-center text-muted">Sign in with the emergency password</summary>
          <div className="mt-3 rounded-xl border border-line bg-surface p-6 shadow-card">{passwordForm}</div>
        </details>
      )}
      {authType !== "oidc" && !isSignedInByProxy && (
        <>
          <div className="rounded-xl border border-line bg-surface p-6 shadow-card">{passwordForm}</div>
          <p className="text-center text-xs text-muted">
            The password is <code className="font-mono">BASIC_AUTH_PASSWORD</code> in the server settings.
          </p>
        </>
      )}
    </main>
  );
}

function readStatus(failed: unknown): number | null {
  return typeof failed === "string" && /^[45]\d\d$/.test(failed) ? Number(failed) : null;
}

/** A link, because a form must not lead to another site. */
function ProviderSignIn({ target, problem }: Readonly<{ target: string; problem: SignInProblem | null }>) {
  return (
    <div className="space-y-4">
      {problem !== null && <Notice tone="bad">{sentences[problem]}</Notice>}
      <a
        href={`/api/auth/signin/oidc?${new URLSearchParams({ redirect: target }).toString()}`}
        className={buttonClass({ variant: "primary", size: "lg", className: "w-full" })}
      >
        Sign in with your account
      </a>
    </div>
  );
}

/** Null: unknown. */
async function findReason(): Promise<string | null> {
  const id = await findPageSessionId();
  if (id === null) return null;
  const signIn = await signIns()
    .find(id)
    .catch(() => null);
  return signIn?.roleProblem ?? null;
}

/** Says what to ask for (`people.md` P3). */
function WithoutRole({
  name,
  map,
  isSignedInByProxy,
  reason,
}: Readonly<{ name: string | null; map: RoleMap | null; isSignedInByProxy: boolean; reason: string | null }>) {
  const known = roles.filter((role) => (map?.[role].length ?? 0) > 0);
  return (
    <Notice tone="warn">
      <p>
        <strong className="font-semibold">{name ?? "You"}</strong>
        {name === null ? " have" : " has"} no role on this server. Ask the person who manages your account for one of
        these groups:
      </p>
      <ul className="mt-2 list-disc pl-5">
        {known.map((role) => (
          <li key={role}>
            {map?.[role].join(", ")} <span className="text-muted">({role})</span>
          </li>
        ))}
      </ul>
      <p className="mt-2">{isSignedInByProxy ? "Then reload this page." : "Then sign in again."}</p>
      {reason !== null && <p className="mt-2">For administrators: {reason}.</p>}
    </Notice>
  );
}
