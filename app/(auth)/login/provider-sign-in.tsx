import { Notice } from "@/app/_components/feedback/notice";
import { buttonClass } from "@/app/_components/ui/button-class";
import type { SignInProblem } from "@/lib/platform/auth/schema";

const sentences: Readonly<Record<SignInProblem, string>> = {
  "provider-down": "The identity provider cannot be reached. Who is signed in already can go on; try again later.",
  storage: "The database cannot be reached, so nobody new can sign in. Try again soon.",
  cancelled: "The sign-in was cancelled at the identity provider.",
  stale: "That sign-in was begun in another browser, or too long ago. Begin again.",
  refused: "What the identity provider sent does not hold. Begin again; the log of the server says more.",
  insecure: "People sign in over https only: open this page by its https address.",
};

/** The way to the identity provider, and what went wrong on it. A link, because a form may not lead to another site. */
export function ProviderSignIn({ target, problem }: Readonly<{ target: string; problem: SignInProblem | null }>) {
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
